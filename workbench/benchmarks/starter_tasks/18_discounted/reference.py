def discounted(prices: list[float], percent: float) -> list[float]:
    return [price * (1 - percent / 100) for price in prices]
