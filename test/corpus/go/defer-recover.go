// defer in order, recover, re-panic, runtime errors, errors wrapped, results changed by defers.
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
)

type custom struct{ code int }

func (c *custom) Error() string { return "custom " + strconv.Itoa(c.code) }

func try(n int) (result string) {
	defer func() {
		if r := recover(); r != nil {
			if e, ok := r.(error); ok {
				result = "error: " + e.Error()
			} else {
				result = fmt.Sprint("value: ", r)
			}
		}
	}()
	for i := 0; i < 3; i++ {
		defer fmt.Print("d", i, " ")
	}
	var m map[string]int
	var p *custom
	var any interface{} = "text"
	s := []int{1, 2, 3}
	switch n {
	case 0:
		return fmt.Sprint(s[n+5])
	case 1:
		m["x"] = 1
	case 2:
		return fmt.Sprint(p.code)
	case 3:
		return fmt.Sprint(any.(int))
	case 4:
		return fmt.Sprint(10 / (n - 4))
	case 5:
		panic(&custom{n})
	case 6:
		return fmt.Sprint(s[3:n-4])
	case 7:
		func() {
			defer func() { panic(fmt.Sprint("again ", recover())) }()
			panic("first")
		}()
	case 8:
		close((chan int)(nil))
	case 9:
		_ = make([]int, n-10)
	}
	return "fine"
}
func named() (n int, err error) {
	defer func() { n *= 2 }()
	defer func() {
		if err != nil {
			n = -1
		}
	}()
	return 21, fmt.Errorf("wrapped: %w", &custom{7})
}

func main() {
	for i := 0; i < 11; i++ {
		fmt.Println(i, try(i))
	}
	n, err := named()
	var c *custom
	fmt.Println(n, err, errors.As(err, &c), c.code, errors.Unwrap(err) == c)
	_, err = strconv.Atoi("12x")
	fmt.Println(err, errors.Is(err, strconv.ErrSyntax))
	_, err = os.Open("missing")
	fmt.Println(err, errors.Is(err, os.ErrNotExist))
}
