#include <cstdio>
#include <string>

std::string show_clock(long long minutes) {
    char text[32];
    std::snprintf(text, sizeof text, "%02lld:%02lld", minutes / 60, minutes % 60);
    return text;
}
