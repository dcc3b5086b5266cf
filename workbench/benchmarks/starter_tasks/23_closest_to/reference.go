package main

func ClosestTo(numbers []int, target int) *int {
	distance := func(number int) int {
		if number < target {
			return target - number
		}
		return number - target
	}
	var best *int
	for _, number := range numbers {
		number := number
		if best == nil || distance(number) < distance(*best) ||
			distance(number) == distance(*best) && number < *best {
			best = &number
		}
	}
	return best
}
