def closest_to(numbers: list[int], target: int) -> int | None:
    return min(numbers, key=lambda number: (abs(number - target), number), default=None)
