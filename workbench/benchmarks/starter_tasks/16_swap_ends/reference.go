package main

func SwapEnds(numbers []int) []int {
	swapped := append([]int{}, numbers...)
	if len(swapped) > 1 {
		end := len(swapped) - 1
		swapped[0], swapped[end] = swapped[end], swapped[0]
	}
	return swapped
}
