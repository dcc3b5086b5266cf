import java.util.List;

class Solution {
    public long balancePoint(List<Long> weights) {
        long whole = weights.stream().mapToLong(Long::longValue).sum();
        long left = 0;
        for (int i = 0; i < weights.size(); i++) {
            if (left == whole - left - weights.get(i)) {
                return i;
            }
            left += weights.get(i);
        }
        return -1;
    }
}
