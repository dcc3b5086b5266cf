def add_exclamation(word: str) -> str:
    return word + "!"
