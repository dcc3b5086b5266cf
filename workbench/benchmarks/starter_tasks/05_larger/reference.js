function larger(a, b) {
  return a > b ? a : b;
}
