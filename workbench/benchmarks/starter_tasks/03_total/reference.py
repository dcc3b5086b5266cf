def total(numbers: list[int]) -> int:
    return sum(numbers)
