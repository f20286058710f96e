/*
 * iFastSum: Y.-K. Zhu, W. B. Hayes, Correct rounding and a hybrid approach to exact floating-point summation,
 * SIAM J. Sci. Comput. 31(4) (2009) 2981-3001. 6 floating-point operations and a comparison per element for
 * every pass; the number of passes grows with the range of the exponents.
 *
 * Invariant: s plus the elements of x is the exact sum of the input. Every pass replaces the elements by the
 * rounding errors of their own summation (an error-free vector transformation), drops those that are zero, and
 * moves the sum to s, until what the errors can still amount to cannot change s.
 */
#include "eft.h"
#include "ieee.h"
#include "summation.h"

/* Half a unit in the last place: the largest rounding error of a sum of this magnitude. Sums below 2^-1021 are
 * exact, and there the product underflows to 0, which says so. */
static inline double HalfUlp(double value) {
  return double_of(bits_of(value) & UINT64_C(0x7ff0000000000000)) * 0x1p-53;
}

/*
 * The correctly rounded sum of three numbers that do not overlap: s0 + s1 rounds to s0, s1 + s2 to s1.
 * s2 matters only where s1 lies on a rounding boundary of s0; s1 is a power of two there, and 1.1 s1 is beyond it.
 * (A subnormal s1 is not tested for: below 2^-1021 sums are exact, and s2 is 0.)
 */
static inline double Round3(double s0, double s1, double s2) {
  int power_of_two = (bits_of(s1) & UINT64_C(0x000fffffffffffff)) == 0;
  int same_sign = (s1 > 0.0 && s2 > 0.0) || (s1 < 0.0 && s2 < 0.0);
  return power_of_two && same_sign ? 1.1 * s1 + s0 : s0;
}

double iFastSumIn(double *x, size_t *length, int nested) {
  size_t n = *length;
  double s = 0.0;
  for (size_t i = 0; i < n; i++) s = TwoSum(s, x[i], &x[i]);
  if (n == 0 || exponent_of(s) == EXPONENTS - 1) return s; /* overflow or a non-finite element: no exact sum */

  for (;;) {
    size_t count = 0;
    double sum = 0.0;
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) {
      double error;
      sum = TwoSum(sum, x[i], &error);
      x[count] = error;
      if (error != 0.0) {
        count++;
        double magnitude = __builtin_fabs(sum);
        largest = largest > magnitude ? largest : magnitude; /* in this order: one maxsd, no move */
      }
    }
    /* The first addition of a pass is 0 + x[0], without error: count < n, so there is room for one more. */
    double bound = (double)count * HalfUlp(largest);
    double rest;
    s = TwoSum(s, sum, &rest);
    x[count] = rest;
    n = count + 1;

    if (bound == 0.0 || bound < HalfUlp(s)) {
      *length = n;
      if (nested) return s;
      /* The exact sum lies between s + rest - bound and s + rest + bound. If both round to s, so does it. */
      double upper_error, lower_error;
      double upper = TwoSum(rest, bound, &upper_error);
      double lower = TwoSum(rest, -bound, &lower_error);
      if (upper + s == s && lower + s == s && Round3(s, upper, upper_error) == s &&
          Round3(s, lower, lower_error) == s) {
        return s;
      }
      double s1 = iFastSumIn(x, length, 1);
      s = TwoSum(s, s1, &s1);
      double s2 = iFastSumIn(x, length, 1);
      return Round3(s, s1, s2);
    }
  }
}

double iFastSum(double *x, size_t n) { return iFastSumIn(x, &n, 0); }
