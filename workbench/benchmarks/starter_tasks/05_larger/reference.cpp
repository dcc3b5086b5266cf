#include <algorithm>

long long larger(long long a, long long b) {
    return std::max(a, b);
}
