class Solution {
    public long doubleIt(long number) {
        return number * 2;
    }
}
