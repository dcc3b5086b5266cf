import java.util.List;
import java.util.stream.Collectors;

class Solution {
    public List<Double> discounted(List<Double> prices, double percent) {
        return prices.stream()
                .map(price -> price * (1 - percent / 100))
                .collect(Collectors.toList());
    }
}
