def build_order(rules: list[str]) -> list[str]:
    after: dict[str, set[str]] = {}
    for rule in rules:
        first, second = rule.split(">")
        after.setdefault(first, set())
        after.setdefault(second, set()).add(first)
    order: list[str] = []
    while after:
        ready = [step for step, needed in after.items() if not needed]
        if not ready:
            return []
        chosen = min(ready)
        order.append(chosen)
        del after[chosen]
        for needed in after.values():
            needed.discard(chosen)
    return order
