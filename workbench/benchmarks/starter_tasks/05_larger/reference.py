def larger(a: int, b: int) -> int:
    return max(a, b)
