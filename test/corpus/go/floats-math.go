// Floating point, complex numbers, the math package, random numbers from a seed.
package main

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand"
)

func main() {
	for _, x := range []float64{0, 0.5, -1.25, 3, 1e5, 1e-8} {
		fmt.Printf("%.13g %.13g %.13g %.13g %.13g %.13g\n", math.Sin(x), math.Exp(x/10), math.Log(math.Abs(x)+1), math.Sqrt(math.Abs(x)), math.Atan2(x, 2), math.Cbrt(x))
		fmt.Println(math.Floor(x), math.Ceil(x), math.Round(x), math.RoundToEven(x+0.5), math.Trunc(x), math.Mod(x, 0.7), math.Float64bits(x))
		m, e := math.Frexp(x)
		fmt.Println(m, e, math.Ldexp(m, e) == x, math.Hypot(x, 1), math.FMA(x, x, -1), math.Signbit(x))
	}
	inf, nan := math.Inf(1), math.NaN()
	fmt.Println(inf-inf, nan == nan, nan < 1, inf > math.MaxFloat64, 1/inf, -1/inf, math.Max(nan, 1), float32(0.1)+float32(0.2), 0.1+0.2)
	z := complex(1.5, -2)
	fmt.Printf("%.10g %.10g %.10g %.10g\n", z*z, z/(1+2i), cmplx.Sqrt(z), cmplx.Exp(z))
	fmt.Println(real(z), imag(z), cmplx.Abs(3+4i), z == complex(1.5, -2))
	r := rand.New(rand.NewSource(42))
	fmt.Println(r.Intn(1000), r.Float64(), r.Perm(8), r.NormFloat64())
	inside := 0
	for i := 0; i < 10000; i++ {
		if x, y := r.Float64(), r.Float64(); x*x+y*y < 1 {
			inside++
		}
	}
	fmt.Println(inside)
}
