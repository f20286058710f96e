// Typed and untyped constants, iota, conversions, named types with methods, embedded structs, comparable arrays.
package main

import "fmt"

type weekday int

const (
	monday weekday = iota + 1
	tuesday
	_
	thursday
)
const (
	kib = 1 << (10 * (iota + 1))
	mib
	gib
)

func (d weekday) String() string { return [...]string{"?", "Mon", "Tue", "Wed", "Thu"}[d] }

type celsius float64
type base struct{ id int }

func (b *base) bump() int { b.id++; return b.id }

type derived struct {
	base
	name string
}

func main() {
	const big = 1 << 62
	var f float32 = big
	fmt.Println(monday, thursday, kib, mib, gib, f, celsius(36.6)+0.4, 'a'+1, string(rune('a'+1)), 7/2, 7/2.0, -7>>1)
	d := derived{base{4}, "n"}
	d.bump()
	fmt.Println(d.bump(), d, [2]string{"a", "b"} == [2]string{"a", "b"}, struct{ a, b int }{1, 2} == struct{ a, b int }{1, 2})
	var a, b interface{} = 1, 1.0
	fmt.Println(a == b, a == interface{}(1), fmt.Sprintf("%T %T %v", a, b, map[interface{}]int{1: 2, "x": 3}["x"]))
	x, y := 1, 2
	x, y = y, x+y
	lbl := 0
outer:
	for i := 0; i < 5; i++ {
		for j := 0; ; j++ {
			if j == i {
				continue outer
			}
			if i*j > 6 {
				break outer
			}
			lbl += i * j
		}
	}
	switch {
	case x > 1:
		lbl++
		fallthrough
	case y > 100:
		lbl += 10
	default:
		lbl += 100
	}
	fmt.Println(x, y, lbl)
}
