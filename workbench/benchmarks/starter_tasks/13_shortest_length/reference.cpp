#include <algorithm>
#include <string>
#include <vector>

long long shortest_length(const std::vector<std::string>& words) {
    auto shortest = std::min_element(words.begin(), words.end(), [](const auto& a, const auto& b) {
        return a.size() < b.size();
    });
    return shortest == words.end() ? 0 : static_cast<long long>(shortest->size());
}
