#include <iterator>
#include <set>
#include <string>
#include <vector>

std::string page_ranges(const std::vector<long long>& pages) {
    const std::set<long long> sorted(pages.begin(), pages.end());
    std::string text;
    for (auto first = sorted.begin(); first != sorted.end();) {
        auto last = first;
        while (std::next(last) != sorted.end() && *std::next(last) == *last + 1) {
            ++last;
        }
        if (!text.empty()) {
            text += ',';
        }
        text += std::to_string(*first);
        if (*last > *first) {
            text += (*last - *first > 1 ? '-' : ',') + std::to_string(*last);
        }
        first = std::next(last);
    }
    return text;
}
