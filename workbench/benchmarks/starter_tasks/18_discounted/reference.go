package main

func Discounted(prices []float64, percent float64) []float64 {
	lowered := make([]float64, len(prices))
	for i, price := range prices {
		lowered[i] = price * (1 - percent/100)
	}
	return lowered
}
