package main

func CountWords(words []string) int {
	return len(words)
}
