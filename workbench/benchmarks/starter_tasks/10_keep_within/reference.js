function keepWithin(number, low, high) {
  return Math.max(low, Math.min(number, high));
}
