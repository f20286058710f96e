// RWMutex, Cond, Pool, atomic values, errgroups by hand, semaphores, ping-pong, deadlock-free dining.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

func main() {
	runtime.GOMAXPROCS(2)
	var rw sync.RWMutex
	var wg sync.WaitGroup
	data := map[int]int{}
	for i := 0; i < 6; i++ {
		wg.Add(1)
		go func(id int) {
			defer wg.Done()
			for k := 0; k < 100; k++ {
				if k%10 == 0 {
					rw.Lock()
					data[k] += id
					rw.Unlock()
				} else {
					rw.RLock()
					_ = data[k]
					rw.RUnlock()
				}
				if k%25 == 0 {
					runtime.Gosched()
				}
			}
		}(i)
	}
	wg.Wait()
	fmt.Println(data)
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	ready := 0
	for i := 0; i < 5; i++ {
		go func() {
			mu.Lock()
			ready++
			mu.Unlock()
			cond.Broadcast()
		}()
	}
	mu.Lock()
	for ready < 5 {
		cond.Wait()
	}
	mu.Unlock()
	ping, pong := make(chan int), make(chan int)
	go func() {
		for v := range ping {
			pong <- v + 1
		}
		close(pong)
	}()
	v := 0
	for i := 0; i < 200; i++ {
		ping <- v
		v = <-pong
	}
	close(ping)
	forks := make([]sync.Mutex, 5)
	var meals int64
	for p := 0; p < 5; p++ {
		wg.Add(1)
		go func(p int) {
			defer wg.Done()
			a, b := p, (p+1)%5
			if a > b {
				a, b = b, a
			}
			for i := 0; i < 20; i++ {
				forks[a].Lock()
				forks[b].Lock()
				atomic.AddInt64(&meals, 1)
				forks[b].Unlock()
				forks[a].Unlock()
			}
		}(p)
	}
	wg.Wait()
	var config atomic.Value
	config.Store([]int{1, 2})
	limit := make(chan struct{}, 2)
	var most, now int32
	for i := 0; i < 10; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			limit <- struct{}{}
			if n := atomic.AddInt32(&now, 1); n > 2 {
				atomic.StoreInt32(&most, n)
			}
			runtime.Gosched()
			atomic.AddInt32(&now, -1)
			<-limit
		}()
	}
	wg.Wait()
	fmt.Println(ready, v, meals, config.Load(), most, runtime.NumGoroutine() >= 1)
}
