from itertools import groupby


def longest_plateau(numbers: list[int]) -> int:
    return max((len(list(run)) for _, run in groupby(numbers)), default=0)
