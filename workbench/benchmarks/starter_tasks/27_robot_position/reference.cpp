#include <string>
#include <vector>

std::vector<long long> robot_position(const std::string& moves) {
    const long long dx[] = {0, 1, 0, -1}, dy[] = {1, 0, -1, 0};
    long long x = 0, y = 0;
    int heading = 0;
    for (char move : moves) {
        switch (move) {
            case 'L':
                heading = (heading + 3) % 4;
                break;
            case 'R':
                heading = (heading + 1) % 4;
                break;
            default: {
                const int step = move == 'F' ? 1 : -1;
                x += step * dx[heading];
                y += step * dy[heading];
            }
        }
    }
    return {x, y};
}
