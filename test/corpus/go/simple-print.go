// Printing of values of every kind to both streams.
package main

import (
	"fmt"
	"os"
)

func main() {
	println("println goes to stderr", 1, true)
	fmt.Println("text", 'r', 1.5, true, nil, []int{1}, map[string]int{"a": 1}, struct{ X, Y int }{1, 2}, &struct{ Z int }{3}, [2]bool{true})
	fmt.Fprint(os.Stderr, "error stream\n")
	for i := 0; i < 3; i++ {
		fmt.Printf("%d %s %v %6.2f\n", i, string(rune('a'+i)), i%2 == 0, float64(i)/3)
	}
}
