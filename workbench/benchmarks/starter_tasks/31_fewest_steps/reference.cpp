#include <optional>
#include <queue>
#include <string>
#include <vector>

std::optional<long long> fewest_steps(const std::vector<std::string>& maze) {
    const int height = static_cast<int>(maze.size()), width = static_cast<int>(maze[0].size());
    std::vector<std::vector<long long>> steps(height, std::vector<long long>(width, -1));
    std::queue<std::pair<int, int>> waiting;
    if (maze[0][0] == '.') {
        steps[0][0] = 0;
        waiting.push({0, 0});
    }
    const int down[] = {-1, 1, 0, 0}, right[] = {0, 0, -1, 1};
    while (!waiting.empty()) {
        const auto [row, column] = waiting.front();
        waiting.pop();
        for (int way = 0; way < 4; ++way) {
            const int r = row + down[way], c = column + right[way];
            if (r < 0 || r >= height || c < 0 || c >= width) {
                continue;
            }
            if (maze[r][c] == '.' && steps[r][c] < 0) {
                steps[r][c] = steps[row][column] + 1;
                waiting.push({r, c});
            }
        }
    }
    const long long found = steps[height - 1][width - 1];
    return found < 0 ? std::nullopt : std::optional<long long>(found);
}
