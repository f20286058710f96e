/*
 * The algorithms of this example, under the names that the papers' figures use.
 *
 * All of them assume IEEE 754 double arithmetic in round-to-nearest, without contraction of a*b+c
 * (-ffp-contract=off) and without value-changing optimisation (no -ffast-math).
 * "In place" means that the function overwrites its argument, as the published algorithms do.
 */
#ifndef SUMMATION_H
#define SUMMATION_H

#include <stddef.h>

/* A measured function stays a function: one call in the program is one call in the measurement. */
#define MEASURED __attribute__((noinline, noclone))

/* Recursive summation: the reference that every other algorithm is compared with. */
MEASURED double Sum(const double *x, size_t n);

/* As accurate as if computed in twice the working precision, then rounded. */
MEASURED double Sum2(const double *x, size_t n);
MEASURED double DDSum(const double *x, size_t n);

/* Faithfully rounded: one of the two doubles around the exact sum, or the sum itself. In place. */
MEASURED double AccSum(double *x, size_t n);
MEASURED double FastAccSum(double *x, size_t n);

/* Correctly rounded: the double nearest to the exact sum. iFastSum works in place. */
MEASURED double iFastSum(double *x, size_t n);
MEASURED double HybridSum(const double *x, size_t n);
MEASURED double OnlineExactSum(const double *x, size_t n);

/*
 * The working part of iFastSum, which HybridSum and OnlineExactSum call on their accumulators.
 * x has *n elements. With nested = 0 the result is the correctly rounded sum. With nested = 1 it is a first
 * approximation, and x[0] ... x[*n - 1] are left holding exactly what is missing from it.
 */
MEASURED double iFastSumIn(double *x, size_t *n, int nested);

/* The sum of x[i] * y[i], each product and each addition rounded once. */
MEASURED double Dot(const double *x, const double *y, size_t n);

/* Value at x of the polynomial a[0] + a[1] x + ... + a[n] x^n: a has n + 1 elements. */
MEASURED double Horner(const double *a, size_t n, double x);
MEASURED double CompHorner(const double *a, size_t n, double x);
MEASURED double DDHorner(const double *a, size_t n, double x);

#endif
