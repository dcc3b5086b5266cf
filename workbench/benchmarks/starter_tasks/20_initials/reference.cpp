#include <cctype>
#include <sstream>
#include <string>

std::string initials(const std::string& name) {
    std::istringstream words(name);
    std::string word, result;
    while (words >> word) {
        result += static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
        result += '.';
    }
    return result;
}
