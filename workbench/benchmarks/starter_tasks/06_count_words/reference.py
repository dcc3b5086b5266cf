def count_words(words: list[str]) -> int:
    return len(words)
