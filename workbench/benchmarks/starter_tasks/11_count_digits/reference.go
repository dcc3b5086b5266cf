package main

func CountDigits(text string) int {
	count := 0
	for _, char := range text {
		if char >= '0' && char <= '9' {
			count++
		}
	}
	return count
}
