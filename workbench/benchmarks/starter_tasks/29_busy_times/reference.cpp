#include <algorithm>
#include <vector>

std::vector<std::vector<long long>> busy_times(std::vector<std::vector<long long>> meetings) {
    std::sort(meetings.begin(), meetings.end());
    std::vector<std::vector<long long>> times;
    for (const auto& meeting : meetings) {
        if (!times.empty() && meeting[0] <= times.back()[1]) {
            times.back()[1] = std::max(times.back()[1], meeting[1]);
        } else {
            times.push_back(meeting);
        }
    }
    return times;
}
