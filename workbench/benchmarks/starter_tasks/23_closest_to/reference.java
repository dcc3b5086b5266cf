import java.util.Comparator;
import java.util.List;
import java.util.Optional;

class Solution {
    public Optional<Long> closestTo(List<Long> numbers, long target) {
        Comparator<Long> byDistance = Comparator.comparing(number -> Math.abs(number - target));
        return numbers.stream().min(byDistance.thenComparing(Comparator.naturalOrder()));
    }
}
