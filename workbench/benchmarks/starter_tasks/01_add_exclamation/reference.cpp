#include <string>

std::string add_exclamation(const std::string& word) {
    return word + "!";
}
