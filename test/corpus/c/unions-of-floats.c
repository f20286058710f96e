/* Arithmetic on the fields of doubles: fast inverse square root, splitting, scaling, software multiplication. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static float quake(float x) { float h = x * 0.5f; int32_t i; memcpy(&i, &x, 4); i = 0x5f3759df - (i >> 1); memcpy(&x, &i, 4); return x * (1.5f - h * x * x); }
static double multiply(double a, double b) {
  uint64_t x, y;
  memcpy(&x, &a, 8), memcpy(&y, &b, 8);
  uint64_t sign = (x ^ y) & 1ull << 63;
  int e = (int)(x >> 52 & 2047) + (int)(y >> 52 & 2047) - 1023;
  unsigned __int128 p = (unsigned __int128)((x & (1ull << 52) - 1) | 1ull << 52) * ((y & (1ull << 52) - 1) | 1ull << 52);
  int shift = p >> 105 ? 53 : 52;
  e += shift - 52;
  uint64_t m = (uint64_t)(p >> shift), rest = (uint64_t)(p & (((unsigned __int128)1 << shift) - 1)), half = 1ull << (shift - 1);
  m += rest > half || (rest == half && (m & 1));
  if (m >> 53) m >>= 1, e++;
  uint64_t r = sign | (uint64_t)e << 52 | (m & (1ull << 52) - 1);
  memcpy(&a, &r, 8);
  return a;
}

int main(void) {
  int wrong = 0;
  double x = 1.1, y = -2.7;
  for (int i = 0; i < 2000; i++) {
    wrong += multiply(x, y) != x * y;
    x = x * 1.37 + 0.11, y = y * -0.91 - 0.07;
    if (x > 1e30) x *= 1e-40;
    if (fabs(y) < 1e-3) y += 3;
  }
  printf("%d %a %a %a\n", wrong, quake(2), quake(1e10f), quake(0.3f));
}
