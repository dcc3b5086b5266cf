package main

func BestLoad(capacity int, weights []int, values []int) int {
	best := make([]int, capacity+1)
	for i, weight := range weights {
		for room := capacity; room >= weight; room-- {
			if loaded := best[room-weight] + values[i]; loaded > best[room] {
				best[room] = loaded
			}
		}
	}
	return best[capacity]
}
