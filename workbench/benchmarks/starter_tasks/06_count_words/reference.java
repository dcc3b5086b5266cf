import java.util.List;

class Solution {
    public long countWords(List<String> words) {
        return words.size();
    }
}
