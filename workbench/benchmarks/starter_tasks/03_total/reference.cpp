#include <numeric>
#include <vector>

long long total(const std::vector<long long>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0LL);
}
