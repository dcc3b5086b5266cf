function half(value) {
  return value / 2;
}
