def initials(name: str) -> str:
    return "".join(f"{word[0].upper()}." for word in name.split())
