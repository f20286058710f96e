// Integers of all widths, shifts, overflow, bits, constants, big numbers.
package main

import (
	"fmt"
	"math/big"
	"math/bits"
)

const (
	a = iota * 10
	b
	_
	d
	huge = 1 << 100
)

func main() {
	var i8 int8 = 127
	var u8 uint8 = 200
	var i16 int16 = -32768
	var i32 int32 = 1 << 30
	var u64 uint64 = 1<<63 + 12345
	i8++
	u8 += 100
	i16--
	i32 *= 3
	fmt.Println(i8, u8, i16, i32, u64*7, -7/2, -7%3, 7&^5, a, b, d, huge>>98)
	for s := uint(0); s < 70; s += 9 {
		fmt.Print(u64>>s, " ", int64(u64)>>s, " ", uint32(u64)<<s, " ")
	}
	fmt.Println()
	x := uint64(0x123456789abcdef)
	hi, lo := bits.Mul64(x, u64)
	q, r := bits.Div64(hi%1000, lo, 1001)
	sum, carry := bits.Add64(u64, u64, 1)
	fmt.Println(bits.OnesCount64(x), bits.LeadingZeros64(x), bits.TrailingZeros16(64), bits.Reverse32(5), bits.RotateLeft64(x, 13), bits.ReverseBytes64(x), bits.Len(255))
	fmt.Println(hi, lo, q, r, sum, carry)
	f := big.NewInt(1)
	for i := int64(2); i <= 60; i++ {
		f.Mul(f, big.NewInt(i))
	}
	g := new(big.Int).Exp(big.NewInt(3), big.NewInt(200), nil)
	fmt.Println(f, new(big.Int).Mod(g, big.NewInt(1000000007)), new(big.Int).GCD(nil, nil, f, g), new(big.Int).Sqrt(g), big.NewInt(1000003).ProbablyPrime(5))
	fmt.Println(new(big.Rat).SetFrac64(10, 4), new(big.Float).SetPrec(200).Quo(big.NewFloat(1), big.NewFloat(3)))
	for _, v := range []float64{1.9, -1.9, 1e10, 300} {
		fmt.Print(int(v), int32(int64(v)), uint8(int(v)), float32(v), " ")
	}
	fmt.Println()
}
