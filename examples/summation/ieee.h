/* The fields of an IEEE 754 double, read without floating-point operations. */
#ifndef IEEE_H
#define IEEE_H

#include <stdint.h>
#include <string.h>

/* How many values the exponent field has: one accumulator each in HybridSum and OnlineExactSum. */
#define EXPONENTS 2048

static inline uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline double double_of(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* The biased exponent: 0 for zero and subnormal numbers, 2047 for infinities and NaN. */
static inline unsigned exponent_of(double value) { return (unsigned)(bits_of(value) >> 52) & (EXPONENTS - 1); }

#endif
