/* Horner's scheme, Eval in the 2010 paper. 2 n floating-point operations for degree n. */
#include "summation.h"

double Horner(const double *a, size_t n, double x) {
  double value = a[n];
  for (size_t i = n; i-- > 0;) value = value * x + a[i];
  return value;
}
