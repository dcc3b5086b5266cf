package main

import (
	"strconv"
	"strings"
)

type parser struct {
	text     string
	position int
}

func (p *parser) peek() byte {
	if p.position < len(p.text) {
		return p.text[p.position]
	}
	return 0
}

func (p *parser) factor() int {
	if p.peek() == '(' {
		p.position++
		value := p.terms()
		p.position++
		return value
	}
	start := p.position
	for p.peek() >= '0' && p.peek() <= '9' {
		p.position++
	}
	value, _ := strconv.Atoi(p.text[start:p.position])
	return value
}

func (p *parser) product() int {
	value := p.factor()
	for p.peek() == '*' {
		p.position++
		value *= p.factor()
	}
	return value
}

func (p *parser) terms() int {
	value := p.product()
	for p.peek() == '+' || p.peek() == '-' {
		sign := p.peek()
		p.position++
		if sign == '+' {
			value += p.product()
		} else {
			value -= p.product()
		}
	}
	return value
}

func Evaluate(expression string) int {
	p := &parser{text: strings.ReplaceAll(expression, " ", "")}
	return p.terms()
}
