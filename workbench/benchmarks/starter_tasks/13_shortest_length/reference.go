package main

func ShortestLength(words []string) int {
	if len(words) == 0 {
		return 0
	}
	shortest := len(words[0])
	for _, word := range words {
		if len(word) < shortest {
			shortest = len(word)
		}
	}
	return shortest
}
