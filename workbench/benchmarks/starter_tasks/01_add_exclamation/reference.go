package main

func AddExclamation(word string) string {
	return word + "!"
}
