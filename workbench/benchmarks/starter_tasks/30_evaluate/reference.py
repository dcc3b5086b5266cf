import re


def evaluate(expression: str) -> int:
    tokens = re.findall(r"\d+|[-+*()]", expression)
    position = 0

    def take() -> str:
        nonlocal position
        position += 1
        return tokens[position - 1]

    def peek() -> str:
        return tokens[position] if position < len(tokens) else ""

    def factor() -> int:
        token = take()
        if token != "(":
            return int(token)
        value = terms()
        take()
        return value

    def product() -> int:
        value = factor()
        while peek() == "*":
            take()
            value *= factor()
        return value

    def terms() -> int:
        value = product()
        while peek() in ("+", "-"):
            value = value + product() if take() == "+" else value - product()
        return value

    return terms()
