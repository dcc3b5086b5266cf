package main

func MergeCounts(left map[string]int, right map[string]int) map[string]int {
	merged := map[string]int{}
	for word, count := range left {
		merged[word] += count
	}
	for word, count := range right {
		merged[word] += count
	}
	return merged
}
