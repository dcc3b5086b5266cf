def count_digits(text: str) -> int:
    return sum(char in "0123456789" for char in text)
