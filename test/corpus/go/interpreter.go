// A tokenizer, parser and evaluator of a small language with functions and loops.
package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

type node struct {
	op   string
	kids []*node
	num  int
}
type parser struct {
	tokens []string
	at     int
}

func lex(s string) (out []string) {
	for i := 0; i < len(s); {
		c := rune(s[i])
		j := i + 1
		switch {
		case unicode.IsSpace(c):
			i++
			continue
		case unicode.IsDigit(c):
			for j < len(s) && unicode.IsDigit(rune(s[j])) {
				j++
			}
		case unicode.IsLetter(c):
			for j < len(s) && unicode.IsLetter(rune(s[j])) {
				j++
			}
		}
		out = append(out, s[i:j])
		i = j
	}
	return
}
func (p *parser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}
func (p *parser) next() string { t := p.peek(); p.at++; return t }
func (p *parser) expect(t string) {
	if got := p.next(); got != t {
		panic(fmt.Sprintf("expected %q, found %q", t, got))
	}
}
func (p *parser) atom() *node {
	t := p.next()
	if t == "(" {
		n := p.expr(0)
		p.expect(")")
		return n
	}
	if v, err := strconv.Atoi(t); err == nil {
		return &node{op: "num", num: v}
	}
	if t == "" || !unicode.IsLetter(rune(t[0])) {
		panic(fmt.Sprintf("unexpected %q", t))
	}
	return &node{op: "var:" + t}
}
func (p *parser) expr(level int) *node {
	levels := []string{"<", "+-", "*/%"}
	if level == len(levels) {
		return p.atom()
	}
	n := p.expr(level + 1)
	for t := p.peek(); t != "" && strings.Contains(levels[level], t); t = p.peek() {
		p.at++
		n = &node{op: t, kids: []*node{n, p.expr(level + 1)}}
	}
	return n
}
func (p *parser) block() *node {
	n := &node{op: "block"}
	for t := p.peek(); t != "" && t != "}"; t = p.peek() {
		switch t {
		case "while", "if":
			p.at++
			c := p.expr(0)
			p.expect("{")
			b := p.block()
			p.expect("}")
			n.kids = append(n.kids, &node{op: t, kids: []*node{c, b}})
		case "print":
			p.at++
			n.kids = append(n.kids, &node{op: "print", kids: []*node{p.expr(0)}})
		default:
			name := p.next()
			p.expect("=")
			n.kids = append(n.kids, &node{op: "set:" + name, kids: []*node{p.expr(0)}})
		}
		p.expect(";")
	}
	return n
}
func (n *node) eval(env map[string]int) int {
	switch {
	case n.op == "num":
		return n.num
	case strings.HasPrefix(n.op, "var:"):
		return env[n.op[4:]]
	case strings.HasPrefix(n.op, "set:"):
		env[n.op[4:]] = n.kids[0].eval(env)
	case n.op == "block":
		for _, k := range n.kids {
			k.eval(env)
		}
	case n.op == "while":
		for n.kids[0].eval(env) != 0 {
			n.kids[1].eval(env)
		}
	case n.op == "if":
		if n.kids[0].eval(env) != 0 {
			n.kids[1].eval(env)
		}
	case n.op == "print":
		fmt.Print(n.kids[0].eval(env), " ")
	default:
		a, b := n.kids[0].eval(env), n.kids[1].eval(env)
		switch n.op {
		case "+":
			return a + b
		case "-":
			return a - b
		case "*":
			return a * b
		case "/":
			return a / b
		case "%":
			return a % b
		case "<":
			if a < b {
				return 1
			}
		}
	}
	return 0
}
func run(source string) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Print("error: ", r)
		}
		fmt.Println()
	}()
	p := &parser{tokens: lex(source)}
	p.block().eval(map[string]int{})
}

func main() {
	run("a = 0; b = 1; i = 0; while i < 20 { print a; t = a + b; a = b; b = t; i = i + 1; };")
	run("n = 2; while n < 60 { d = 2; p = 1; while d * d < n + 1 { if n % d < 1 { p = 0; }; d = d + 1; }; if 0 < p { print n; }; n = n + 1; };")
	run("print (1 + 2) * 3 - 4 / (5 - 5);")
	run("print 1 + ;")
	run("x = (2;")
}
