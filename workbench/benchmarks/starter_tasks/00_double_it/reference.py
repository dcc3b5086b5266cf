def double_it(number: int) -> int:
    return number * 2
