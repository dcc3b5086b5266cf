import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

class Solution {
    public List<Long> swapEnds(List<Long> numbers) {
        List<Long> swapped = new ArrayList<>(numbers);
        if (swapped.size() > 1) {
            Collections.swap(swapped, 0, swapped.size() - 1);
        }
        return swapped;
    }
}
