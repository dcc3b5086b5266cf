def last_of(numbers: list[int]) -> int:
    return numbers[-1]
