class Solution {
    public long countDigits(String text) {
        return text.chars().filter(c -> c >= '0' && c <= '9').count();
    }
}
