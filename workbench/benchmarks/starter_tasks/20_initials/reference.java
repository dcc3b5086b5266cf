class Solution {
    public String initials(String name) {
        StringBuilder result = new StringBuilder();
        for (String word : name.trim().split(" +")) {
            if (!word.isEmpty()) {
                result.append(Character.toUpperCase(word.charAt(0))).append('.');
            }
        }
        return result.toString();
    }
}
