package main

import "strings"

func BuildOrder(rules []string) []string {
	needs := map[string]map[string]bool{}
	for _, rule := range rules {
		steps := strings.Split(rule, ">")
		for _, step := range steps {
			if needs[step] == nil {
				needs[step] = map[string]bool{}
			}
		}
		needs[steps[1]][steps[0]] = true
	}
	order := []string{}
	for len(needs) > 0 {
		ready := ""
		for step, before := range needs {
			if len(before) == 0 && (ready == "" || step < ready) {
				ready = step
			}
		}
		if ready == "" {
			return []string{}
		}
		order = append(order, ready)
		delete(needs, ready)
		for _, before := range needs {
			delete(before, ready)
		}
	}
	return order
}
