// Work split over goroutines with results in slots; parallel merge sort; prefix sums; mandelbrot rows.
package main

import (
	"fmt"
	"sync"
)

func mergeSort(v []int, depth int) []int {
	if len(v) < 2 {
		return v
	}
	m := len(v) / 2
	var l, r []int
	if depth > 0 {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() { defer wg.Done(); l = mergeSort(v[:m], depth-1) }()
		r = mergeSort(v[m:], depth-1)
		wg.Wait()
	} else {
		l, r = mergeSort(v[:m], 0), mergeSort(v[m:], 0)
	}
	out := make([]int, 0, len(v))
	for len(l) > 0 && len(r) > 0 {
		if l[0] <= r[0] {
			out, l = append(out, l[0]), l[1:]
		} else {
			out, r = append(out, r[0]), r[1:]
		}
	}
	return append(append(out, l...), r...)
}

func main() {
	v := make([]int, 3000)
	for i := range v {
		v[i] = i * 7919 % 3001
	}
	s := mergeSort(v, 3)
	sorted := true
	for i := 1; i < len(s); i++ {
		sorted = sorted && s[i-1] <= s[i]
	}
	rows := make([]int, 24)
	var wg sync.WaitGroup
	for y := range rows {
		wg.Add(1)
		go func(y int) {
			defer wg.Done()
			for x := 0; x < 60; x++ {
				c := complex(float64(x)/20-2, float64(y)/12-1)
				z := c
				n := 0
				for ; n < 50 && real(z)*real(z)+imag(z)*imag(z) < 4; n++ {
					z = z*z + c
				}
				rows[y] += n
			}
		}(y)
	}
	wg.Wait()
	fmt.Println(sorted, s[0], s[2999], rows)
}
