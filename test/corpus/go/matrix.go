// Matrices of slices and arrays, products, determinants, transposition, generics.
package main

import "fmt"

type number interface{ ~int | ~float32 | ~float64 | ~complex128 }

func multiply[T number](a, b [][]T) [][]T {
	out := make([][]T, len(a))
	for i := range a {
		out[i] = make([]T, len(b[0]))
		for j := range b[0] {
			for k := range b {
				out[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return out
}
func determinant(m [6][6]float64) float64 {
	d := 1.0
	for k := 0; k < 6; k++ {
		p := k
		for i := k; i < 6; i++ {
			if m[i][k]*m[i][k] > m[p][k]*m[p][k] {
				p = i
			}
		}
		if p != k {
			m[p], m[k] = m[k], m[p]
			d = -d
		}
		d *= m[k][k]
		for i := k + 1; i < 6; i++ {
			f := m[i][k] / m[k][k]
			for j := k; j < 6; j++ {
				m[i][j] -= f * m[k][j]
			}
		}
	}
	return d
}

func main() {
	a := [][]int{{1, 2}, {3, 4}}
	p := a
	for i := 0; i < 10; i++ {
		p = multiply(p, a)
	}
	c := [][]complex128{{1i, 2}, {0, 1 - 1i}}
	fmt.Println(p, multiply(c, c))
	var m [6][6]float64
	for i := range m {
		for j := range m {
			m[i][j] = float64((i*7+j*3)%11) - 4 + float64(i)/float64(j+1)
		}
	}
	fmt.Printf("%.9f\n", determinant(m))
	big := make([][]float64, 40)
	for i := range big {
		big[i] = make([]float64, 40)
		for j := range big[i] {
			big[i][j] = float64(i^j) / 8
		}
	}
	trace := 0.0
	for i, r := range multiply(big, big) {
		trace += r[i]
	}
	fmt.Println(trace)
}
