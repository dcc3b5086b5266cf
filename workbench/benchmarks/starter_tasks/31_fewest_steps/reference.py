def fewest_steps(maze: list[str]) -> int | None:
    height, width = len(maze), len(maze[0])
    if maze[0][0] == "#":
        return None
    reached = {(0, 0)}
    front = [(0, 0)]
    steps = 0
    while front:
        if (height - 1, width - 1) in reached:
            return steps
        following: list[tuple[int, int]] = []
        for row, column in front:
            for r, c in (
                (row - 1, column),
                (row + 1, column),
                (row, column - 1),
                (row, column + 1),
            ):
                inside = 0 <= r < height and 0 <= c < width
                if inside and maze[r][c] == "." and (r, c) not in reached:
                    reached.add((r, c))
                    following.append((r, c))
        front = following
        steps += 1
    return None
