import java.util.List;

class Solution {
    public long shortestLength(List<String> words) {
        return words.stream().mapToInt(String::length).min().orElse(0);
    }
}
