/*
 * OnlineExactSum: Y.-K. Zhu, W. B. Hayes, Algorithm 908: online exact summation of floating-point streams,
 * ACM TOMS 37(3) (2010) 37:1-37:13. 7 floating-point operations per element, then iFastSum over the accumulators
 * that are not 0. (The article counts 5, with a branch on magnitudes; this is the form without the branch, the
 * one that the 2013 paper's figure 7 analyses.)
 *
 * Two accumulators for each exponent: a1 takes the elements, a2 the rounding errors of a1. The elements of
 * exponent e are multiples of 2^(e-52) below 2^(e+1). After 2^26 of them a1 is below 2^(e+27), so no error
 * exceeds 2^(e-27), and 2^26 errors stay below 2^e: a2 holds their sum in 52 bits, exactly. Then the accumulators
 * are redistributed. Exact for all finite elements, subnormal ones too, unless an accumulator overflows.
 */
#include "eft.h"
#include "ieee.h"
#include "summation.h"

/* Elements between two redistributions, each of which uses 4,096 of the 2^26 exact additions. */
#ifndef ONLINE_BLOCK
#define ONLINE_BLOCK (((size_t)1 << 26) - 2 * EXPONENTS)
#endif

static inline void deposit(double *a1, double *a2, double x) {
  unsigned j = exponent_of(x);
  double error;
  a1[j] = TwoSum(a1[j], x, &error);
  a2[j] += error;
}

/* Accumulators grow out of the exponent that they stand for; give each its place again. */
static __attribute__((noinline)) void redistribute(double *a1, double *a2) {
  double old1[EXPONENTS], old2[EXPONENTS];
  for (size_t j = 0; j < EXPONENTS; j++) {
    old1[j] = a1[j];
    old2[j] = a2[j];
    a1[j] = a2[j] = 0.0;
  }
  for (size_t j = 0; j < EXPONENTS; j++) deposit(a1, a2, old1[j]);
  for (size_t j = 0; j < EXPONENTS; j++) deposit(a1, a2, old2[j]);
}

double OnlineExactSum(const double *x, size_t n) {
  double a1[EXPONENTS], a2[EXPONENTS];
  for (size_t j = 0; j < EXPONENTS; j++) a1[j] = a2[j] = 0.0;

  while (n > ONLINE_BLOCK) {
    for (size_t k = 0; k < ONLINE_BLOCK; k++) deposit(a1, a2, x[k]);
    x += ONLINE_BLOCK;
    n -= ONLINE_BLOCK;
    redistribute(a1, a2);
  }
  for (size_t k = 0; k < n; k++) deposit(a1, a2, x[k]);

  double condensed[2 * EXPONENTS];
  size_t count = 0;
  for (size_t j = 0; j < EXPONENTS; j++) {
    if (a1[j] != 0.0) condensed[count++] = a1[j];
    if (a2[j] != 0.0) condensed[count++] = a2[j];
  }
  return iFastSumIn(condensed, &count, 0);
}
