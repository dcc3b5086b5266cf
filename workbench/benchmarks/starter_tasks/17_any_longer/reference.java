import java.util.List;

class Solution {
    public boolean anyLonger(List<String> words, long limit) {
        return words.stream().anyMatch(word -> word.length() > limit);
    }
}
