#include <string>
#include <vector>

long long count_words(const std::vector<std::string>& words) {
    return static_cast<long long>(words.size());
}
