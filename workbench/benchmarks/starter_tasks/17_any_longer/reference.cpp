#include <algorithm>
#include <string>
#include <vector>

bool any_longer(const std::vector<std::string>& words, long long limit) {
    return std::any_of(words.begin(), words.end(), [limit](const std::string& word) {
        return static_cast<long long>(word.size()) > limit;
    });
}
