package main

func Larger(a int, b int) int {
	if a > b {
		return a
	}
	return b
}
