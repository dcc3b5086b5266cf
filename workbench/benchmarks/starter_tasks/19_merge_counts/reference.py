def merge_counts(left: dict[str, int], right: dict[str, int]) -> dict[str, int]:
    merged = dict(left)
    for word, count in right.items():
        merged[word] = merged.get(word, 0) + count
    return merged
