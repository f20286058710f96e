/*
 * Sum2: T. Ogita, S. M. Rump, S. Oishi, Accurate sum and dot product, SIAM J. Sci. Comput. 26(6) (2005)
 * 1955-1988, algorithm 4.4. 7 floating-point operations per element.
 *
 * The rounding errors are summed beside the sum and added once, at the end (proposition 4.5):
 * |result - s| <= u |s| + gamma(n - 1)^2 sum |x[i]|, u = 2^-53, gamma(k) = k u / (1 - k u).
 */
#include "eft.h"
#include "summation.h"

double Sum2(const double *x, size_t n) {
  double sum = 0.0;
  double errors = 0.0;
  for (size_t i = 0; i < n; i++) {
    double error;
    sum = TwoSum(sum, x[i], &error);
    errors += error;
  }
  return sum + errors;
}
