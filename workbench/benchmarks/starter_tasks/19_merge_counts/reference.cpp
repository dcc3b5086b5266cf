#include <map>
#include <string>

std::map<std::string, long long> merge_counts(std::map<std::string, long long> left,
                                              const std::map<std::string, long long>& right) {
    for (const auto& [word, count] : right) {
        left[word] += count;
    }
    return left;
}
