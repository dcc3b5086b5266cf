package main

func SumBetween(low int, high int) int {
	sum := 0
	for number := low; number <= high; number++ {
		sum += number
	}
	return sum
}
