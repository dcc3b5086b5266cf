class Solution {
    public String showClock(long minutes) {
        return String.format("%02d:%02d", minutes / 60, minutes % 60);
    }
}
