import java.util.HashMap;
import java.util.List;
import java.util.Map;

class Solution {
    public Map<String, Long> stockAfter(List<String> orders) {
        Map<String, Long> stock = new HashMap<>();
        for (String order : orders) {
            String article = order.substring(1);
            if (order.charAt(0) == '+') {
                stock.merge(article, 1L, Long::sum);
            } else {
                stock.computeIfPresent(article, (name, pieces) -> pieces > 1 ? pieces - 1 : null);
            }
        }
        return stock;
    }
}
