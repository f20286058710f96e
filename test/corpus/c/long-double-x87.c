/* long double beyond double: 64 bits of mantissa, sums of series, comparisons, conversions. */
#include <float.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void show(long double x) {
  uint64_t m = 0;
  uint16_t e = 0;
  memcpy(&m, &x, 8);
  memcpy(&e, (char *)&x + 8, 2);
  printf("%04x %016llx %.21Lg\n", e, (unsigned long long)m, x);
}

int main(void) {
  volatile long double one = 1, third = one / 3;
  long double e = 0, pi = 0, term = 1;
  for (int i = 1; i < 30; i++) e += term, term /= i;
  for (int k = 0; k < 40; k++) {
    long double p = 1;
    for (int i = 0; i < k; i++) p /= 16;
    pi += p * (4.L / (8 * k + 1) - 2.L / (8 * k + 4) - 1.L / (8 * k + 5) - 1.L / (8 * k + 6));
  }
  show(e), show(pi), show(third), show(third * 3 - 1), show(one + LDBL_EPSILON), show(LDBL_MAX), show(LDBL_MIN), show(LDBL_TRUE_MIN);
  long double a = 0, b = 1;
  for (int i = 0; i < 90; i++) { long double t = a + b; a = b; b = t; }
  show(b), show(b / a), show(-b * 1e4000L), show((long double)(uint64_t)-1), show((long double)INT64_MIN);
  printf("%d %d %lld %llu %d\n", third < 1 / 3.0, (double)third == 1 / 3.0, (long long)(b * third), (unsigned long long)(b * 2), (int)(pi * 1000));
}
