import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

class Solution {
    public List<List<Long>> busyTimes(List<List<Long>> meetings) {
        List<List<Long>> sorted = new ArrayList<>(meetings);
        sorted.sort(Comparator.comparing(meeting -> meeting.get(0)));
        List<List<Long>> times = new ArrayList<>();
        for (List<Long> meeting : sorted) {
            List<Long> last = times.isEmpty() ? null : times.get(times.size() - 1);
            if (last != null && meeting.get(0) <= last.get(1)) {
                last.set(1, Math.max(last.get(1), meeting.get(1)));
            } else {
                times.add(new ArrayList<>(meeting));
            }
        }
        return times;
    }
}
