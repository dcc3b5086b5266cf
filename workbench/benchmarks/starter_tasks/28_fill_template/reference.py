def fill_template(template: str, values: dict[str, int]) -> str:
    parts: list[str] = []
    position = 0
    while True:
        start = template.find("{", position)
        end = template.find("}", start) if start >= 0 else -1
        if end < 0:
            return "".join(parts) + template[position:]
        name = template[start + 1 : end]
        parts.append(template[position:start])
        parts.append(str(values[name]) if name in values else template[start : end + 1])
        position = end + 1
