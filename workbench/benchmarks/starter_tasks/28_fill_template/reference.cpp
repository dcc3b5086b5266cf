#include <map>
#include <string>

std::string fill_template(const std::string& text, const std::map<std::string, long long>& values) {
    std::string filled;
    std::size_t position = 0;
    while (true) {
        const std::size_t start = text.find('{', position);
        const std::size_t end = start == std::string::npos ? start : text.find('}', start);
        if (end == std::string::npos) {
            return filled + text.substr(position);
        }
        const auto value = values.find(text.substr(start + 1, end - start - 1));
        filled += text.substr(position, start - position);
        filled += value == values.end() ? text.substr(start, end - start + 1)
                                        : std::to_string(value->second);
        position = end + 1;
    }
}
