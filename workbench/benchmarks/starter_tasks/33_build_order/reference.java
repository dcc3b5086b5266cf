import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

class Solution {
    public List<String> buildOrder(List<String> rules) {
        Map<String, Set<String>> needs = new TreeMap<>();
        for (String rule : rules) {
            String[] steps = rule.split(">");
            needs.computeIfAbsent(steps[0], step -> new HashSet<>());
            needs.computeIfAbsent(steps[1], step -> new HashSet<>()).add(steps[0]);
        }
        List<String> order = new ArrayList<>();
        while (!needs.isEmpty()) {
            String ready = null;
            for (Map.Entry<String, Set<String>> entry : needs.entrySet()) {
                if (entry.getValue().isEmpty()) {
                    ready = entry.getKey();
                    break;
                }
            }
            if (ready == null) {
                return new ArrayList<>();
            }
            order.add(ready);
            needs.remove(ready);
            for (Set<String> before : needs.values()) {
                before.remove(ready);
            }
        }
        return order;
    }
}
