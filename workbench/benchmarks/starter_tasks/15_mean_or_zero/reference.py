def mean_or_zero(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
