def first_repeat(words: list[str]) -> str | None:
    seen: set[str] = set()
    for word in words:
        if word in seen:
            return word
        seen.add(word)
    return None
