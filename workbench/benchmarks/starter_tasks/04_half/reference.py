def half(value: float) -> float:
    return value / 2
