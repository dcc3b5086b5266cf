package main

import (
	"sort"
	"strconv"
	"strings"
)

func PageRanges(pages []int) string {
	sorted := append([]int{}, pages...)
	sort.Ints(sorted)
	var parts []string
	for i := 0; i < len(sorted); {
		first, last := sorted[i], sorted[i]
		for i < len(sorted) && sorted[i] <= last+1 {
			last = sorted[i]
			i++
		}
		switch {
		case last-first > 1:
			parts = append(parts, strconv.Itoa(first)+"-"+strconv.Itoa(last))
		case last > first:
			parts = append(parts, strconv.Itoa(first), strconv.Itoa(last))
		default:
			parts = append(parts, strconv.Itoa(first))
		}
	}
	return strings.Join(parts, ",")
}
