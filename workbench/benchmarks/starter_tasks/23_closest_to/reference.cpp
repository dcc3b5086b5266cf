#include <cstdlib>
#include <optional>
#include <vector>

std::optional<long long> closest_to(const std::vector<long long>& numbers, long long target) {
    std::optional<long long> best;
    for (long long number : numbers) {
        if (!best) {
            best = number;
            continue;
        }
        long long distance = std::llabs(number - target), least = std::llabs(*best - target);
        if (distance < least || (distance == least && number < *best)) {
            best = number;
        }
    }
    return best;
}
