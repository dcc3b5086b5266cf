import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

class Solution {
    public Optional<String> firstRepeat(List<String> words) {
        Set<String> seen = new HashSet<>();
        return words.stream().filter(word -> !seen.add(word)).findFirst();
    }
}
