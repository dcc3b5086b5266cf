package main

import "sort"

func BusyTimes(meetings [][]int) [][]int {
	sorted := append([][]int{}, meetings...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i][0] < sorted[j][0] })
	times := [][]int{}
	for _, meeting := range sorted {
		last := len(times) - 1
		if last < 0 || meeting[0] > times[last][1] {
			times = append(times, []int{meeting[0], meeting[1]})
		} else if meeting[1] > times[last][1] {
			times[last][1] = meeting[1]
		}
	}
	return times
}
