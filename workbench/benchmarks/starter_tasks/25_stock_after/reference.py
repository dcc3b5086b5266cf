def stock_after(orders: list[str]) -> dict[str, int]:
    stock: dict[str, int] = {}
    for order in orders:
        article = order[1:]
        change = 1 if order[0] == "+" else -1
        stock[article] = max(0, stock.get(article, 0) + change)
    return {article: pieces for article, pieces in stock.items() if pieces > 0}
