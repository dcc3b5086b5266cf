#include <algorithm>
#include <cstddef>
#include <vector>

long long longest_plateau(const std::vector<long long>& numbers) {
    long long longest = 0, current = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        current = i > 0 && numbers[i] == numbers[i - 1] ? current + 1 : 1;
        longest = std::max(longest, current);
    }
    return longest;
}
