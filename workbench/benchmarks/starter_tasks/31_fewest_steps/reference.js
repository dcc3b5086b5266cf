function fewestSteps(maze) {
  const height = maze.length;
  const width = maze[0].length;
  const steps = maze.map((row) => Array.from(row, () => -1));
  const waiting = [];
  if (maze[0][0] === ".") {
    steps[0][0] = 0;
    waiting.push([0, 0]);
  }
  for (let next = 0; next < waiting.length; next++) {
    const [row, column] = waiting[next];
    for (const [down, right] of [[-1, 0], [1, 0], [0, -1], [0, 1]]) {
      const [r, c] = [row + down, column + right];
      if (maze[r]?.[c] === "." && steps[r][c] < 0) {
        steps[r][c] = steps[row][column] + 1;
        waiting.push([r, c]);
      }
    }
  }
  const found = steps[height - 1][width - 1];
  return found < 0 ? null : found;
}
