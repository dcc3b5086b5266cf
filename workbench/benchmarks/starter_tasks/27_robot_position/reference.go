package main

func RobotPosition(moves string) []int {
	x, y, dx, dy := 0, 0, 0, 1
	for _, move := range moves {
		switch move {
		case 'F':
			x, y = x+dx, y+dy
		case 'B':
			x, y = x-dx, y-dy
		case 'L':
			dx, dy = -dy, dx
		default:
			dx, dy = dy, -dx
		}
	}
	return []int{x, y}
}
