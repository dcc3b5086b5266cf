function bestLoad(capacity, weights, values) {
  const best = new Array(capacity + 1).fill(0);
  weights.forEach((weight, i) => {
    for (let room = capacity; room >= weight; room--) {
      best[room] = Math.max(best[room], best[room - weight] + values[i]);
    }
  });
  return best[capacity];
}
