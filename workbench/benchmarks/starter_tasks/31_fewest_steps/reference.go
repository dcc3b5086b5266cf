package main

func FewestSteps(maze []string) *int {
	type place struct{ row, column int }
	end := place{len(maze) - 1, len(maze[0]) - 1}
	if maze[0][0] == '#' {
		return nil
	}
	steps := map[place]int{{0, 0}: 0}
	waiting := []place{{0, 0}}
	for len(waiting) > 0 {
		at := waiting[0]
		waiting = waiting[1:]
		if at == end {
			found := steps[at]
			return &found
		}
		for _, way := range []place{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			next := place{at.row + way.row, at.column + way.column}
			if next.row < 0 || next.row > end.row || next.column < 0 || next.column > end.column {
				continue
			}
			if _, known := steps[next]; known || maze[next.row][next.column] == '#' {
				continue
			}
			steps[next] = steps[at] + 1
			waiting = append(waiting, next)
		}
	}
	return nil
}
