package main

func FirstRepeat(words []string) *string {
	seen := map[string]bool{}
	for _, word := range words {
		if seen[word] {
			found := word
			return &found
		}
		seen[word] = true
	}
	return nil
}
