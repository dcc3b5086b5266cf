package main

func KeepWithin(number int, low int, high int) int {
	if number < low {
		return low
	}
	if number > high {
		return high
	}
	return number
}
