package main

func FullName(first string, last string) string {
	return first + " " + last
}
