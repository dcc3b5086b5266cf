#include <algorithm>
#include <cstddef>
#include <vector>

long long best_load(long long capacity, const std::vector<long long>& weights,
                    const std::vector<long long>& values) {
    std::vector<long long> best(static_cast<std::size_t>(capacity) + 1, 0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        for (long long room = capacity; room >= weights[i]; --room) {
            best[room] = std::max(best[room], best[room - weights[i]] + values[i]);
        }
    }
    return best[capacity];
}
