#include <string>

std::string full_name(const std::string& first, const std::string& last) {
    return first + " " + last;
}
