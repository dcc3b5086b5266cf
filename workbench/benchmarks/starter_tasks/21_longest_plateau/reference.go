package main

func LongestPlateau(numbers []int) int {
	longest, current := 0, 0
	for i, number := range numbers {
		if i > 0 && number == numbers[i-1] {
			current++
		} else {
			current = 1
		}
		if current > longest {
			longest = current
		}
	}
	return longest
}
