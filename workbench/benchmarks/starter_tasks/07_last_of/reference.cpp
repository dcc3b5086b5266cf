#include <vector>

long long last_of(const std::vector<long long>& numbers) {
    return numbers.back();
}
