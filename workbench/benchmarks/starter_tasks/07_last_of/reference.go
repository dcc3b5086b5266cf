package main

func LastOf(numbers []int) int {
	return numbers[len(numbers)-1]
}
