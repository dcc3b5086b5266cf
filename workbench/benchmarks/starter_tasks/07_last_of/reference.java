import java.util.List;

class Solution {
    public long lastOf(List<Long> numbers) {
        return numbers.get(numbers.size() - 1);
    }
}
