/* The inputs of the example: deterministic, the same on every machine, without the C library. */
#ifndef DATA_H
#define DATA_H

#include <stddef.h>

/*
 * Distributions of exponents; signs and the 52 bits of the significand are random. delta is even, at most 1,800.
 * The first two are the 2013 paper's, section 4. They are well-conditioned: their largest elements are the sum.
 * The third one is not: its condition number is beyond 2^delta, and its exact sum that of one to four elements.
 */
enum distribution {
  UNIFORM,   /* d_U: exponents uniform in [-delta/2, delta/2] */
  DIRAC,     /* d_D: n - 1 elements with the exponent -delta/2, the last one with delta/2 */
  CANCELLING /* d_C: a, b, -fl(a + b) and -(a + b - fl(a + b)) from d_U, each in another quarter of the vector, and at
                the end one to four elements with the exponent -delta/2 */
};

void fill(double *x, size_t n, enum distribution distribution, int delta);

#endif
