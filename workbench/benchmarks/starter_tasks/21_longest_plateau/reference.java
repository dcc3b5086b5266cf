import java.util.List;

class Solution {
    public long longestPlateau(List<Long> numbers) {
        long longest = 0;
        long current = 0;
        for (int i = 0; i < numbers.size(); i++) {
            current = i > 0 && numbers.get(i).equals(numbers.get(i - 1)) ? current + 1 : 1;
            longest = Math.max(longest, current);
        }
        return longest;
    }
}
