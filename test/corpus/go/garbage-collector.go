// Much garbage: trees, slices, strings, finalisers aside; collections forced; sizes are not printed.
package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

type tree struct {
	left, right *tree
	data        [3]int
}

func build(depth int) *tree {
	if depth == 0 {
		return &tree{data: [3]int{1, 2, 3}}
	}
	return &tree{build(depth - 1), build(depth - 1), [3]int{depth, depth * 2, depth * 3}}
}
func (t *tree) sum() int {
	if t == nil {
		return 0
	}
	return t.data[0] + t.data[2] + t.left.sum() + t.right.sum()
}

func main() {
	debug.SetGCPercent(20)
	long := build(10)
	total := 0
	for i := 0; i < 30; i++ {
		total += build(7 + i%4).sum()
		s := make([][]byte, 0)
		for k := 0; k < 50; k++ {
			s = append(s, make([]byte, k*100+i))
		}
		total += len(s[49])
	}
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	fmt.Println(total, long.sum(), stats.NumGC > 0, stats.Mallocs > 10000)
	m := map[int]*tree{}
	for i := 0; i < 2000; i++ {
		m[i%100] = &tree{data: [3]int{i, i, i}}
	}
	runtime.GC()
	x := 0
	for _, t := range m {
		x += t.data[1]
	}
	fmt.Println(len(m), x)
}
