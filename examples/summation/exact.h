/*
 * Exact summation in fixed point, the reference for --check: a number of 2,240 bits whose lowest bit is worth
 * 2^-1074, wide enough for 2^64 of the largest doubles (U. Kulisch's long accumulator).
 */
#ifndef EXACT_H
#define EXACT_H

#include <stddef.h>
#include <stdint.h>

#define EXACT_LIMBS 35

struct exact {
  uint64_t limb[EXACT_LIMBS]; /* two's complement, least significant first */
};

/* Adds a finite number, without error. */
void exact_add(struct exact *sum, double value);

/* The nearest double, ties to even; an infinity where none is near enough. */
double exact_round(const struct exact *sum);

#endif
