package main

import "strings"

func Initials(name string) string {
	var result strings.Builder
	for _, word := range strings.Fields(name) {
		result.WriteString(strings.ToUpper(word[:1]) + ".")
	}
	return result.String()
}
