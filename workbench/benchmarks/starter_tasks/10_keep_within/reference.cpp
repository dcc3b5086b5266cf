#include <algorithm>

long long keep_within(long long number, long long low, long long high) {
    return std::clamp(number, low, high);
}
