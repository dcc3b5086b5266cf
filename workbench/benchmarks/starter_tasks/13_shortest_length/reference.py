def shortest_length(words: list[str]) -> int:
    return min(map(len, words), default=0)
