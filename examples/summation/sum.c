/* Recursive summation. 1 floating-point operation per element. */
#include "summation.h"

double Sum(const double *x, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) sum += x[i];
  return sum;
}
