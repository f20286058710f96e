// Interfaces, embedding, type switches, method values, Stringer, generics, closures.
package main

import (
	"fmt"
	"math"
	"sort"
	"strings"
)

type shape interface {
	area() float64
	name() string
}
type base struct{ label string }

func (b base) name() string { return b.label }

type circle struct {
	base
	r float64
}
type rect struct {
	base
	w, h float64
}

func (c circle) area() float64  { return math.Pi * c.r * c.r }
func (r *rect) area() float64   { return r.w * r.h }
func (r *rect) String() string  { return fmt.Sprintf("rect(%gx%g)", r.w, r.h) }

type number interface{ ~int | ~int64 | ~float64 }

func sum[T number](v ...T) (s T) {
	for _, x := range v {
		s += x
	}
	return
}
func mapped[T, U any](v []T, f func(T) U) []U {
	out := make([]U, len(v))
	for i, x := range v {
		out[i] = f(x)
	}
	return out
}

type stack[T any] struct{ items []T }

func (s *stack[T]) push(x T) { s.items = append(s.items, x) }
func (s *stack[T]) pop() (x T, ok bool) {
	if len(s.items) == 0 {
		return
	}
	x = s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return x, true
}
func kind(v interface{}) string {
	switch x := v.(type) {
	case nil:
		return "nil"
	case int, int64:
		return fmt.Sprintf("integer %v", x)
	case []int:
		return fmt.Sprint("slice ", len(x))
	case fmt.Stringer:
		return "stringer " + x.String()
	case error:
		return "error " + x.Error()
	case func(int) int:
		return fmt.Sprint("function ", x(3))
	default:
		return fmt.Sprintf("%T", x)
	}
}

func main() {
	shapes := []shape{circle{base{"c"}, 2}, &rect{base{"r"}, 3, 4}, circle{base{"d"}, 0.5}}
	sort.Slice(shapes, func(i, j int) bool { return shapes[i].area() < shapes[j].area() })
	for _, s := range shapes {
		fmt.Printf("%s %.6f %v\n", s.name(), s.area(), s)
	}
	for _, v := range []interface{}{nil, 5, int64(6), []int{1}, &rect{w: 1, h: 2}, fmt.Errorf("e"), func(x int) int { return x * x }, 2.5, struct{}{}, map[string]int{}} {
		fmt.Println(kind(v))
	}
	f := shapes[0].area
	fmt.Printf("%.3f %d %g %v\n", f(), sum(1, 2, 3), sum(1.5, 2.0), mapped([]string{"a", "bb"}, func(s string) int { return len(s) }))
	var s stack[string]
	for _, w := range strings.Fields("generic stacks work") {
		s.push(w)
	}
	for w, ok := s.pop(); ok; w, ok = s.pop() {
		fmt.Print(w, " ")
	}
	var nothing shape
	var typed *rect
	counter := func() func() int { n := 0; return func() int { n++; return n } }()
	counter()
	fmt.Println(nothing == nil, shape(typed) == nil, counter())
}
