class Solution {
    public long larger(long a, long b) {
        return Math.max(a, b);
    }
}
