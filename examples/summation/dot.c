/* The inner product, term by term. 2 floating-point operations per element. */
#include "summation.h"

double Dot(const double *x, const double *y, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}
