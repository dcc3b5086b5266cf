#include <cstddef>
#include <numeric>
#include <vector>

long long balance_point(const std::vector<long long>& weights) {
    long long left = 0, whole = std::accumulate(weights.begin(), weights.end(), 0LL);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (left == whole - left - weights[i]) {
            return static_cast<long long>(i);
        }
        left += weights[i];
    }
    return -1;
}
