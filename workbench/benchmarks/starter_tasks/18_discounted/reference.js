function discounted(prices, percent) {
  return prices.map((price) => price * (1 - percent / 100));
}
