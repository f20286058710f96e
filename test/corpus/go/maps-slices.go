// Maps and slices: growth, aliasing, copy, append, three-index slices, sorting, deleting while ranging.
package main

import (
	"fmt"
	"sort"
	"strings"
)

type point struct{ x, y int }

func main() {
	s := make([]int, 0, 4)
	caps := []int{}
	for i := 0; i < 3000; i++ {
		if len(s) == cap(s) {
			caps = append(caps, cap(s))
		}
		s = append(s, i*i%101)
	}
	fmt.Println(len(s), caps)
	a := s[10:20]
	b := a[2:4:5]
	b = append(b, -1)
	b = append(b, -2)
	b[0] = 999
	fmt.Println(a[:8], b, cap(a[1:3:6]), copy(a, a[3:]), a)
	m := map[point]string{}
	for i := 0; i < 500; i++ {
		m[point{i % 31, i % 17}] += string(rune('a' + i%26))
	}
	for k, v := range m {
		if strings.Contains(v, "q") || k.x > 25 {
			delete(m, k)
		}
	}
	keys := make([]point, 0, len(m))
	total := 0
	for k, v := range m {
		keys = append(keys, k)
		total += len(v)
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i].x < keys[j].x || keys[i].x == keys[j].x && keys[i].y < keys[j].y })
	fmt.Println(len(m), total, keys[:3], m[keys[5]])
	nested := map[string]map[string][]int{}
	for _, w := range strings.Fields("one two three one two one") {
		if nested[w] == nil {
			nested[w] = map[string][]int{}
		}
		nested[w]["at"] = append(nested[w]["at"], len(nested))
	}
	fmt.Println(nested)
	v, ok := nested["none"]["at"]
	grid := [4][5]int{}
	for i := range grid {
		for j := range grid[i] {
			grid[i][j] = i * j
		}
	}
	other := grid
	other[3][4] = -5
	fmt.Println(v, ok, grid[3], other[3], grid == other, len(grid[0]))
	big := make(map[int]int)
	for i := 0; i < 20000; i++ {
		big[i*7919%100003] = i
	}
	sum := 0
	for k, v := range big {
		sum += k ^ v
	}
	fmt.Println(len(big), sum)
}
