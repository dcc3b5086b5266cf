import java.util.List;

class Solution {
    public long total(List<Long> numbers) {
        long sum = 0;
        for (long number : numbers) {
            sum += number;
        }
        return sum;
    }
}
