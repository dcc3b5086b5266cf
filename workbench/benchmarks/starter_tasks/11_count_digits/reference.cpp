#include <algorithm>
#include <string>

long long count_digits(const std::string& text) {
    return std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}
