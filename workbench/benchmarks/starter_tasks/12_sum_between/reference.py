def sum_between(low: int, high: int) -> int:
    if low > high:
        return 0
    return (low + high) * (high - low + 1) // 2
