def swap_ends(numbers: list[int]) -> list[int]:
    if len(numbers) < 2:
        return numbers
    return [numbers[-1], *numbers[1:-1], numbers[0]]
