def page_ranges(pages: list[int]) -> str:
    runs: list[list[int]] = []
    for page in sorted(set(pages)):
        if runs and runs[-1][-1] == page - 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    parts: list[str] = []
    for run in runs:
        if len(run) > 2:
            parts.append(f"{run[0]}-{run[-1]}")
        else:
            parts.extend(map(str, run))
    return ",".join(parts)
