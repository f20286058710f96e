// unsafe pointers, byte orders, sizes, slices of bytes reinterpreted.
package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"
)

type record struct {
	a byte
	b uint32
	c uint16
	d float64
}

func main() {
	r := record{1, 0x01020304, 5, 1.5}
	fmt.Println(unsafe.Sizeof(r), unsafe.Alignof(r), unsafe.Offsetof(r.c), unsafe.Sizeof(""), unsafe.Sizeof([]int{}))
	p := (*[24]byte)(unsafe.Pointer(&r))
	fmt.Println(p[4:8], p[8], *(*uint64)(unsafe.Add(unsafe.Pointer(&r), 16)) == math.Float64bits(1.5))
	b := make([]byte, 16)
	binary.LittleEndian.PutUint32(b[1:], 0xcafebabe)
	n := binary.PutUvarint(b[6:], 300)
	v, m := binary.Uvarint(b[6:])
	fmt.Println(b, n, v, m)
	words := unsafe.Slice((*uint32)(unsafe.Pointer(&b[0])), 4)
	sum := uint32(0)
	for _, w := range words {
		sum = sum*31 + w
	}
	fmt.Println(sum, len(words))
}
