class Solution {
    public long keepWithin(long number, long low, long high) {
        return Math.max(low, Math.min(number, high));
    }
}
