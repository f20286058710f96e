/* Random doubles from splitmix64: G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number
 * generators, OOPSLA 2014, with the output function of D. Stafford's variant 13. */
#include "data.h"

#include "eft.h"
#include "ieee.h"

static uint64_t state = 20130115; /* any seed: the figures on the page belong to this one */

static uint64_t next_bits(void) {
  uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static double with_exponent(int exponent) {
  uint64_t sign_and_fraction = next_bits() & UINT64_C(0x800fffffffffffff);
  return double_of(sign_and_fraction | (uint64_t)(exponent + 1023) << 52);
}

/* Uniform in [low, low + count - 1]: the high half of a 32 by 32 bit product. */
static int uniform(int low, int count) { return low + (int)(((next_bits() >> 32) * (uint64_t)count) >> 32); }

static void fill_cancelling(double *x, size_t n, int delta) {
  size_t groups = n > 0 ? (n - 1) / 4 : 0;
  for (size_t i = 0; i < groups; i++) {
    double a = with_exponent(uniform(-delta / 2, delta + 1));
    double b = with_exponent(uniform(-delta / 2, delta + 1));
    double error;
    double sum = TwoSum(a, b, &error);
    x[i] = a;
    x[groups + i] = b;
    x[2 * groups + i] = -sum;
    x[3 * groups + i] = -error;
  }
  for (size_t i = 4 * groups; i < n; i++) x[i] = with_exponent(-delta / 2);
}

void fill(double *x, size_t n, enum distribution distribution, int delta) {
  if (distribution == CANCELLING) {
    fill_cancelling(x, n, delta);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    int exponent = distribution == UNIFORM ? uniform(-delta / 2, delta + 1) : i + 1 < n ? -delta / 2 : delta / 2;
    x[i] = with_exponent(exponent);
  }
}
