/*
 * CompHorner, AccurateEval1 in the 2010 paper: S. Graillat, Ph. Langlois, N. Louvet, Algorithms for accurate,
 * validated and fast polynomial evaluation, Japan J. Indust. Appl. Math. 26 (2009) 191-214.
 * 22 n + 5 floating-point operations for degree n; x is split once.
 *
 * The rounding errors of Horner's scheme are the coefficients of two polynomials; their sum is evaluated beside
 * it, by Horner's scheme, and added once, at the end:
 * |result - p(x)| <= u |p(x)| + gamma(2 n)^2 sum |a[i]| |x|^i, unless a product underflows or overflows.
 */
#include "eft.h"
#include "summation.h"

double CompHorner(const double *a, size_t n, double x) {
  double x_low;
  double x_high = Split(x, &x_low);
  double value = a[n];
  double correction = 0.0;
  for (size_t i = n; i-- > 0;) {
    double value_low;
    double value_high = Split(value, &value_low);
    double product_error, sum_error;
    double product = TwoProduct(value, value_high, value_low, x, x_high, x_low, &product_error);
    value = TwoSum(product, a[i], &sum_error);
    correction = correction * x + (product_error + sum_error);
  }
  return value + correction;
}
