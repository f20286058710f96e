// sort, container/heap, list, ring; Dijkstra, LRU, n queens, matrix, sieve.
package main

import (
	"container/heap"
	"container/list"
	"container/ring"
	"fmt"
	"sort"
)

type item struct{ node, dist int }
type queue []item

func (q queue) Len() int            { return len(q) }
func (q queue) Less(i, j int) bool  { return q[i].dist < q[j].dist }
func (q queue) Swap(i, j int)       { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x interface{}) { *q = append(*q, x.(item)) }
func (q *queue) Pop() interface{} {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}
func queens(n, row int, cols, d1, d2 uint) int {
	if row == n {
		return 1
	}
	count := 0
	for free := ^(cols | d1 | d2) & (1<<uint(n) - 1); free != 0; free &= free - 1 {
		bit := free & -free
		count += queens(n, row+1, cols|bit, (d1|bit)<<1, (d2|bit)>>1)
	}
	return count
}

func main() {
	edges := map[int][]item{}
	for i := 0; i < 200; i++ {
		for k := 1; k < 5; k++ {
			edges[i] = append(edges[i], item{(i*k*7 + 13) % 200, (i*31+k*17)%50 + 1})
		}
	}
	dist := map[int]int{0: 0}
	q := &queue{{0, 0}}
	for q.Len() > 0 {
		x := heap.Pop(q).(item)
		if x.dist > dist[x.node] {
			continue
		}
		for _, e := range edges[x.node] {
			d := x.dist + e.dist
			if old, ok := dist[e.node]; !ok || d < old {
				dist[e.node] = d
				heap.Push(q, item{e.node, d})
			}
		}
	}
	sum := 0
	for _, d := range dist {
		sum += d
	}
	fmt.Println(len(dist), sum, queens(7, 0, 0, 0, 0))
	v := make([]int, 2000)
	for i := range v {
		v[i] = i * 7919 % 2003
	}
	sort.Sort(sort.Reverse(sort.IntSlice(v)))
	words := sort.StringSlice{"pear", "fig", "apple"}
	words.Sort()
	fmt.Println(v[0], v[1999], words, sort.SearchInts([]int{1, 3, 5}, 4), sort.IsSorted(words))
	l := list.New()
	for i := 0; i < 10; i++ {
		if e := l.PushBack(i); i%3 == 0 {
			l.MoveToFront(e)
		}
	}
	for e := l.Front(); e != nil; e = e.Next() {
		fmt.Print(e.Value, " ")
	}
	r := ring.New(5)
	for i := 0; i < r.Len(); i++ {
		r.Value = i * i
		r = r.Next()
	}
	r.Move(2).Do(func(x interface{}) { fmt.Print(x, " ") })
	fmt.Println()
}
