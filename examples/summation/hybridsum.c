/*
 * HybridSum: Y.-K. Zhu, W. B. Hayes, Correct rounding and a hybrid approach to exact floating-point summation,
 * SIAM J. Sci. Comput. 31(4) (2009) 2981-3001. 6 floating-point operations per element, then iFastSum over 2,048
 * accumulators.
 *
 * Each element is split into two halves of at most 26 bits, and each half is added to the accumulator of its own
 * exponent. Numbers of 26 bits and one exponent add without error 2^27 times; then the accumulators are
 * redistributed. Exact for elements that are 0 or within 2^-969 <= |x[i]| < 2^996: below, halves of several
 * exponents share the accumulator of the subnormal numbers, above, the splitting overflows.
 */
#include "eft.h"
#include "ieee.h"
#include "summation.h"

/* Elements between two redistributions, each of which uses 2,048 of the additions. */
#ifndef HYBRID_BLOCK
#define HYBRID_BLOCK ((size_t)1 << 26)
#endif

static inline void deposit(double *a, double x) {
  double low;
  double high = Split(x, &low);
  a[exponent_of(high)] += high;
  a[exponent_of(low)] += low;
}

/* Accumulators grow out of the exponent that they stand for; give each its place again. */
static __attribute__((noinline)) void redistribute(double *a) {
  double old[EXPONENTS];
  for (size_t j = 0; j < EXPONENTS; j++) old[j] = a[j];
  for (size_t j = 0; j < EXPONENTS; j++) a[j] = 0.0;
  for (size_t j = 0; j < EXPONENTS; j++) deposit(a, old[j]);
}

double HybridSum(const double *x, size_t n) {
  double a[EXPONENTS];
  for (size_t j = 0; j < EXPONENTS; j++) a[j] = 0.0;

  while (n > HYBRID_BLOCK) {
    for (size_t k = 0; k < HYBRID_BLOCK; k++) deposit(a, x[k]);
    x += HYBRID_BLOCK;
    n -= HYBRID_BLOCK;
    redistribute(a);
  }
  for (size_t k = 0; k < n; k++) deposit(a, x[k]);

  size_t accumulators = EXPONENTS;
  return iFastSumIn(a, &accumulators, 0);
}
