class Solution {
    public long sumBetween(long low, long high) {
        long sum = 0;
        for (long number = low; number <= high; number++) {
            sum += number;
        }
        return sum;
    }
}
