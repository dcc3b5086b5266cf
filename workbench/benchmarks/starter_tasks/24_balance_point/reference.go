package main

func BalancePoint(weights []int) int {
	whole := 0
	for _, weight := range weights {
		whole += weight
	}
	left := 0
	for i, weight := range weights {
		if left == whole-left-weight {
			return i
		}
		left += weight
	}
	return -1
}
