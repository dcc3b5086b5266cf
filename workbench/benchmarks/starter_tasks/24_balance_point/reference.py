def balance_point(weights: list[int]) -> int:
    left, whole = 0, sum(weights)
    for position, weight in enumerate(weights):
        if left == whole - left - weight:
            return position
        left += weight
    return -1
