class Solution {
    public boolean isEven(long number) {
        return number % 2 == 0;
    }
}
