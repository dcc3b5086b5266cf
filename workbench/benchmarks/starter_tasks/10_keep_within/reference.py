def keep_within(number: int, low: int, high: int) -> int:
    return max(low, min(number, high))
