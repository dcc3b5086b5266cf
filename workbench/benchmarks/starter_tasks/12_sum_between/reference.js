function sumBetween(low, high) {
  return low > high ? 0 : ((low + high) * (high - low + 1)) / 2;
}
