// Calls that are open while the stacks they are on grow, shrink, and wait for others.
package main

import "runtime"

var back = make(chan int)

// Each call takes 200 bytes of stack.
//
//go:noinline
func deep(n int) int {
	var room [20]int
	room[n%20] = n
	if n == 0 {
		return room[0]
	}
	return deep(n-1) + room[n%20]
}

//go:noinline
func grows(n int) int { return deep(n) + leaf(n) }

//go:noinline
func leaf(n int) int { return n*3 ^ 5 }

// Goes on where it waited, on a smaller stack.
//
//go:noinline
func waits(n int) int {
	sum := grows(n) + leaf(sum0)
	back <- sum
	return sum + leaf(<-back)
}

var sum0 = 1

func worker(n int) { back <- waits(n) + leaf(n) }

func main() {
	sum := 0
	for i := 0; i < 3; i++ {
		go worker(15 * (i + 1))
		sum += <-back
		runtime.GC()
		back <- grows(10 * i)
		sum += <-back
	}
	sum += grows(50)
	if sum == 0 {
		panic("sum")
	}
}
