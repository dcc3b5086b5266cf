function stockAfter(orders) {
  const stock = new Map();
  for (const order of orders) {
    const article = order.slice(1);
    const pieces = (stock.get(article) ?? 0) + (order[0] === "+" ? 1 : -1);
    if (pieces > 0) {
      stock.set(article, pieces);
    } else {
      stock.delete(article);
    }
  }
  return Object.fromEntries(stock);
}
