/* corpus: -frounding-math not:Ofast */
/* Results and exceptions of each operation under each rounding, of numbers whose results are often exact and often tied. */
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#pragma STDC FENV_ACCESS ON

static uint64_t sum;
static uint32_t state = 1;

static uint32_t next(void) { return state = state * 1664525u + 1013904223u; }

/* Short significands, so that products and sums are exact now and then. */
static double number(void) {
  int32_t significand = (int32_t)next() >> (state >> 8 & 15);
  return ldexp(significand, (int)(state >> 5 & 63) - 32);
}

static void note(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  sum = sum * 31 + bits;
}

int main(void) {
  static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  for (int i = 0; i < 4; i++) {
    sum = 0;
    fesetround(roundings[i]);
    for (int n = 0; n < 400; n++) {
      feclearexcept(FE_ALL_EXCEPT);
      volatile double x = number(), y = number(), z = number();
      volatile float fx = (float)x, fy = (float)y, fz = (float)z;
      volatile double d[] = {x + y, x - z, x * y, x / y, sqrt(fabs(x)), fma(x, y, z), rint(x), nearbyint(z)};
      volatile float f[] = {fx + fy, fx - fz, fx * fy, fx / fy, sqrtf(fabsf(fx)), fmaf(fx, fy, fz)};
      volatile long integer = lrint(z);
      volatile double back = (double)(integer * 0x100000001);
      for (size_t k = 0; k < sizeof d / sizeof *d; k++) note(d[k]);
      for (size_t k = 0; k < sizeof f / sizeof *f; k++) note(f[k]);
      note(back);
      sum = sum * 31 + (uint64_t)fetestexcept(FE_ALL_EXCEPT);
    }
    fesetround(FE_TONEAREST);
    printf("%d %016llx\n", i, (unsigned long long)sum);
  }
  return 0;
}
