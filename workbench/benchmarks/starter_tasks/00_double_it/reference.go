package main

func DoubleIt(number int) int {
	return number * 2
}
