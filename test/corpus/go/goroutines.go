// Goroutines, channels buffered and not, WaitGroup, Mutex, Once, worker pools.
package main

import (
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
)

func worker(jobs <-chan int, results chan<- [2]int, wg *sync.WaitGroup) {
	defer wg.Done()
	for j := range jobs {
		s := j
		for i := 0; i < 1000; i++ {
			s = s*31 + i
		}
		results <- [2]int{j, s}
	}
}

func main() {
	jobs, results := make(chan int, 10), make(chan [2]int, 10)
	var wg sync.WaitGroup
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go worker(jobs, results, &wg)
	}
	go func() {
		for i := 0; i < 40; i++ {
			jobs <- i
		}
		close(jobs)
		wg.Wait()
		close(results)
	}()
	var all [][2]int
	for r := range results {
		all = append(all, r)
	}
	sort.Slice(all, func(a, b int) bool { return all[a][0] < all[b][0] })
	fmt.Println(len(all), all[0], all[39])
	var mu sync.Mutex
	var once sync.Once
	var hits int64
	total, started := 0, 0
	for i := 0; i < 20; i++ {
		wg.Add(1)
		go func(n int) {
			defer wg.Done()
			once.Do(func() { started++ })
			atomic.AddInt64(&hits, int64(n))
			mu.Lock()
			defer mu.Unlock()
			total += n * n
		}(i)
	}
	wg.Wait()
	fmt.Println(total, started, hits)
	done := make(chan struct{})
	numbers := make(chan int)
	go func() {
		defer close(done)
		for n := range numbers {
			fmt.Print(n, " ")
		}
		fmt.Println()
	}()
	for i := 0; i < 10; i++ {
		numbers <- i * i
	}
	close(numbers)
	<-done
}
