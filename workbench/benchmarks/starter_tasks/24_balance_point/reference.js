function balancePoint(weights) {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let left = 0;
  for (let i = 0; i < weights.length; i++) {
    if (left === whole - left - weights[i]) {
      return i;
    }
    left += weights[i];
  }
  return -1;
}
