class Solution {
    public String addExclamation(String word) {
        return word + "!";
    }
}
