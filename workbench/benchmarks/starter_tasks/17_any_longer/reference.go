package main

func AnyLonger(words []string, limit int) bool {
	for _, word := range words {
		if len(word) > limit {
			return true
		}
	}
	return false
}
