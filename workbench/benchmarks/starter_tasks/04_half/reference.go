package main

func Half(value float64) float64 {
	return value / 2
}
