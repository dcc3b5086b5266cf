def full_name(first: str, last: str) -> str:
    return f"{first} {last}"
