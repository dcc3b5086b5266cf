import java.util.List;

class Solution {
    public double meanOrZero(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(0.0);
    }
}
