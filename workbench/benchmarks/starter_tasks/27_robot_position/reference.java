import java.util.List;

class Solution {
    public List<Long> robotPosition(String moves) {
        long x = 0;
        long y = 0;
        long dx = 0;
        long dy = 1;
        for (char move : moves.toCharArray()) {
            long turned = dx;
            switch (move) {
                case 'F' -> {
                    x += dx;
                    y += dy;
                }
                case 'B' -> {
                    x -= dx;
                    y -= dy;
                }
                case 'L' -> {
                    dx = -dy;
                    dy = turned;
                }
                default -> {
                    dx = dy;
                    dy = -turned;
                }
            }
        }
        return List.of(x, y);
    }
}
