// A cache with eviction, a trie, a bloom filter, a rate limiter over logical time.
package main

import (
	"container/list"
	"fmt"
	"hash/fnv"
	"sort"
	"strings"
)

type cache struct {
	limit int
	order *list.List
	items map[string]*list.Element
	hits  int
}
type entry struct {
	key   string
	value int
}

func (c *cache) get(k string) (int, bool) {
	if e, ok := c.items[k]; ok {
		c.order.MoveToFront(e)
		c.hits++
		return e.Value.(entry).value, true
	}
	return 0, false
}
func (c *cache) put(k string, v int) {
	if e, ok := c.items[k]; ok {
		e.Value = entry{k, v}
		c.order.MoveToFront(e)
		return
	}
	if c.order.Len() == c.limit {
		last := c.order.Back()
		delete(c.items, last.Value.(entry).key)
		c.order.Remove(last)
	}
	c.items[k] = c.order.PushFront(entry{k, v})
}

type trie struct {
	next map[rune]*trie
	end  bool
}

func (t *trie) add(w string) {
	for _, r := range w {
		if t.next == nil {
			t.next = map[rune]*trie{}
		}
		if t.next[r] == nil {
			t.next[r] = &trie{}
		}
		t = t.next[r]
	}
	t.end = true
}
func (t *trie) words(prefix string, out *[]string) {
	if t.end {
		*out = append(*out, prefix)
	}
	keys := []string{}
	for r := range t.next {
		keys = append(keys, string(r))
	}
	sort.Strings(keys)
	for _, k := range keys {
		t.next[[]rune(k)[0]].words(prefix+k, out)
	}
}

func main() {
	c := &cache{limit: 10, order: list.New(), items: map[string]*list.Element{}}
	for i := 0; i < 500; i++ {
		k := fmt.Sprint("k", i*i%23)
		if _, ok := c.get(k); !ok {
			c.put(k, i)
		}
	}
	v, ok := c.get("k1")
	fmt.Println(c.hits, len(c.items), v, ok)
	t := &trie{}
	for _, w := range strings.Fields("über under unter uber un the then they") {
		t.add(w)
	}
	var out []string
	t.words("", &out)
	filter := make([]bool, 1024)
	slot := func(s string, n int) uint32 {
		h := fnv.New32a()
		fmt.Fprint(h, n, s)
		return h.Sum32() % 1024
	}
	for i := 0; i < 100; i++ {
		for n := 0; n < 3; n++ {
			filter[slot(fmt.Sprint(i), n)] = true
		}
	}
	wrong := 0
	for i := 0; i < 600; i++ {
		s := fmt.Sprint(i)
		if filter[slot(s, 0)] && filter[slot(s, 1)] && filter[slot(s, 2)] {
			wrong++
		}
	}
	fmt.Println(out, wrong)
}
