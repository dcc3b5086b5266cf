function robotPosition(moves) {
  let [x, y, dx, dy] = [0, 0, 0, 1];
  for (const move of moves) {
    if (move === "F") {
      x += dx;
      y += dy;
    } else if (move === "B") {
      x -= dx;
      y -= dy;
    } else if (move === "L") {
      [dx, dy] = [-dy, dx];
    } else {
      [dx, dy] = [dy, -dx];
    }
  }
  return [x, y];
}
