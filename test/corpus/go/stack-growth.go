// Deep recursion on growing stacks, in several goroutines, with pointers into the stack.
package main

import "fmt"

type frame struct {
	up   *frame
	data [16]int
}

func deep(n int, up *frame) int {
	f := frame{up: up}
	for i := range f.data {
		f.data[i] = n * i
	}
	if n == 0 {
		s := 0
		for p := &f; p != nil; p = p.up {
			s = s*3 + p.data[5]
		}
		return s
	}
	return deep(n-1, &f) + f.data[3]
}
func ackermann(m, n int) int {
	if m == 0 {
		return n + 1
	}
	if n == 0 {
		return ackermann(m-1, 1)
	}
	return ackermann(m-1, ackermann(m, n-1))
}

func main() {
	c := make(chan int)
	for i := 0; i < 4; i++ {
		go func(i int) { c <- deep(500*(i+1), nil) }(i)
	}
	sum := 0
	for i := 0; i < 4; i++ {
		sum += <-c
	}
	fmt.Println(sum, deep(10000, nil), ackermann(2, 300))
}
