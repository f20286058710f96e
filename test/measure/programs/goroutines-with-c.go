// Go's record of the running goroutine is not the only variable of each thread.
package main

// static __thread long counts[5];
// static long count(long n) { return counts[n % 5] += n; }
import "C"

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
func top(n int) int { return deep(n) }

func main() {
	back := make(chan int)
	for i := 0; i < 3; i++ {
		go func(n int) { back <- int(C.count(C.long(n))) + top(10*n) }(i + 1)
		<-back
	}
	top(100)
}
