#include <optional>
#include <set>
#include <string>
#include <vector>

std::optional<std::string> first_repeat(const std::vector<std::string>& words) {
    std::set<std::string> seen;
    for (const std::string& word : words) {
        if (!seen.insert(word).second) {
            return word;
        }
    }
    return std::nullopt;
}
