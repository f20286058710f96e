// Closures that share variables, generators, memoisation, decorators, variadic functions.
package main

import "fmt"

func counter() (func() int, func()) {
	n := 0
	return func() int { n++; return n }, func() { n = 100 }
}
func memo(f func(func(int) int, int) int) func(int) int {
	table := map[int]int{}
	var g func(int) int
	g = func(n int) int {
		if v, ok := table[n]; ok {
			return v
		}
		v := f(g, n)
		table[n] = v
		return v
	}
	return g
}
func sum(v ...int) (s int) {
	for _, x := range v {
		s += x
	}
	return
}
func compose(fs ...func(int) int) func(int) int {
	return func(x int) int {
		for _, f := range fs {
			x = f(x)
		}
		return x
	}
}

func main() {
	next, reset := counter()
	next()
	next()
	reset()
	fmt.Println(next(), sum(), sum(1, 2, 3), sum([]int{4, 5}...))
	fib := memo(func(self func(int) int, n int) int {
		if n < 2 {
			return n
		}
		return self(n-1) + self(n-2)
	})
	fmt.Println(fib(80))
	var fs []func(int) int
	for i := 1; i < 5; i++ {
		i := i
		fs = append(fs, func(x int) int { return x*i + 1 })
	}
	fmt.Println(compose(fs...)(3), func(a, b int) int { return a * b }(6, 7))
	defer func(s string) { fmt.Println("deferred", s) }("argument")
}
