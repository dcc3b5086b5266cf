class Solution {
    public boolean isAdult(long age) {
        return age >= 18;
    }
}
