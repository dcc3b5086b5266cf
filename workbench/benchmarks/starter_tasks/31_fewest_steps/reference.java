import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

class Solution {
    private static final int[][] WAYS = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

    public Optional<Long> fewestSteps(List<String> maze) {
        int height = maze.size();
        int width = maze.get(0).length();
        long[][] steps = new long[height][width];
        Queue<int[]> waiting = new ArrayDeque<>();
        if (maze.get(0).charAt(0) == '.') {
            steps[0][0] = 1;
            waiting.add(new int[] {0, 0});
        }
        while (!waiting.isEmpty()) {
            int[] place = waiting.remove();
            for (int[] way : WAYS) {
                int row = place[0] + way[0];
                int column = place[1] + way[1];
                if (row < 0 || row >= height || column < 0 || column >= width) {
                    continue;
                }
                if (maze.get(row).charAt(column) == '.' && steps[row][column] == 0) {
                    steps[row][column] = steps[place[0]][place[1]] + 1;
                    waiting.add(new int[] {row, column});
                }
            }
        }
        long found = steps[height - 1][width - 1];
        return found == 0 ? Optional.empty() : Optional.of(found - 1);
    }
}
