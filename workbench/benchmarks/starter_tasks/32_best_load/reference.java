import java.util.List;

class Solution {
    public long bestLoad(long capacity, List<Long> weights, List<Long> values) {
        long[] best = new long[(int) capacity + 1];
        for (int i = 0; i < weights.size(); i++) {
            int weight = weights.get(i).intValue();
            for (int room = (int) capacity; room >= weight; room--) {
                best[room] = Math.max(best[room], best[room - weight] + values.get(i));
            }
        }
        return best[(int) capacity];
    }
}
