import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeSet;

class Solution {
    public String pageRanges(List<Long> pages) {
        List<Long> sorted = new ArrayList<>(new TreeSet<>(pages));
        StringJoiner text = new StringJoiner(",");
        int first = 0;
        while (first < sorted.size()) {
            int last = first;
            while (last + 1 < sorted.size() && sorted.get(last + 1) == sorted.get(last) + 1) {
                last++;
            }
            if (last - first > 1) {
                text.add(sorted.get(first) + "-" + sorted.get(last));
            } else {
                for (int i = first; i <= last; i++) {
                    text.add(String.valueOf(sorted.get(i)));
                }
            }
            first = last + 1;
        }
        return text.toString();
    }
}
