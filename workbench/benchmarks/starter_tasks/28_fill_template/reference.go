package main

import (
	"regexp"
	"strconv"
)

var name = regexp.MustCompile(`\{[^}]*\}`)

func FillTemplate(template string, values map[string]int) string {
	return name.ReplaceAllStringFunc(template, func(whole string) string {
		if value, known := values[whole[1:len(whole)-1]]; known {
			return strconv.Itoa(value)
		}
		return whole
	})
}
