package main

func StockAfter(orders []string) map[string]int {
	stock := map[string]int{}
	for _, order := range orders {
		article := order[1:]
		if order[0] == '+' {
			stock[article]++
		} else if stock[article] > 1 {
			stock[article]--
		} else {
			delete(stock, article)
		}
	}
	return stock
}
