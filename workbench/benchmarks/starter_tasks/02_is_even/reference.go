package main

func IsEven(number int) bool {
	return number%2 == 0
}
