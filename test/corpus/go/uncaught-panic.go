// A panic that nobody recovers: status 2.
package main

import (
	"fmt"
	"os"
)

func main() {
	defer fmt.Println("deferred")
	defer func() {
		r := recover()
		fmt.Println("recovered", r)
		os.Exit(2)
	}()
	var v []int
	fmt.Println(v[len(os.Args)])
}
