def robot_position(moves: str) -> list[int]:
    x, y, dx, dy = 0, 0, 0, 1
    for move in moves:
        if move == "F":
            x, y = x + dx, y + dy
        elif move == "B":
            x, y = x - dx, y - dy
        elif move == "L":
            dx, dy = -dy, dx
        else:
            dx, dy = dy, -dx
    return [x, y]
