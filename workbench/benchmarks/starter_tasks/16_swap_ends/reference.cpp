#include <utility>
#include <vector>

std::vector<long long> swap_ends(std::vector<long long> numbers) {
    if (numbers.size() > 1) {
        std::swap(numbers.front(), numbers.back());
    }
    return numbers;
}
