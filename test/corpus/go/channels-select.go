// select with several channels, defaults, timeouts that never come first, pipelines, a prime sieve.
package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

func generate(ctx context.Context, c chan<- int) {
	for i := 2; ; i++ {
		select {
		case c <- i:
		case <-ctx.Done():
			return
		}
	}
}
func filter(ctx context.Context, in <-chan int, out chan<- int, p int) {
	for {
		select {
		case i := <-in:
			if i%p != 0 {
				select {
				case out <- i:
				case <-ctx.Done():
					return
				}
			}
		case <-ctx.Done():
			return
		}
	}
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	c := make(chan int)
	go generate(ctx, c)
	for i := 0; i < 15; i++ {
		p := <-c
		fmt.Print(p, " ")
		next := make(chan int)
		go filter(ctx, c, next, p)
		c = next
	}
	cancel()
	fmt.Println(errors.Is(ctx.Err(), context.Canceled))
	a, b := make(chan int, 1), make(chan string, 1)
	counts := map[string]int{}
	for i := 0; i < 10; i++ {
		if i%2 == 0 {
			a <- i
		} else {
			b <- "s"
		}
		select {
		case x := <-a:
			counts["a"] += x
		case s := <-b:
			counts[s]++
		case <-time.After(time.Hour):
			counts["late"]++
		}
	}
	select {
	case <-a:
		counts["none"]++
	default:
		counts["default"]++
	}
	fmt.Println(counts)
	timer, cancel2 := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel2()
	<-timer.Done()
	fmt.Println(timer.Err())
	var nilChannel chan int
	select {
	case <-nilChannel:
	case <-time.After(time.Microsecond):
		fmt.Println("nil channels block")
	}
	closed := make(chan int)
	close(closed)
	v, ok := <-closed
	fmt.Println(v, ok, len(a), cap(a))
}
