import java.util.HashMap;
import java.util.Map;

class Solution {
    public Map<String, Long> mergeCounts(Map<String, Long> left, Map<String, Long> right) {
        Map<String, Long> merged = new HashMap<>(left);
        right.forEach((word, count) -> merged.merge(word, count, Long::sum));
        return merged;
    }
}
