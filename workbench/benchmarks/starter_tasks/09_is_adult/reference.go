package main

func IsAdult(age int) bool {
	return age >= 18
}
