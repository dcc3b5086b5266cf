class Solution {
    public String fullName(String first, String last) {
        return first + " " + last;
    }
}
