def any_longer(words: list[str], limit: int) -> bool:
    return any(len(word) > limit for word in words)
