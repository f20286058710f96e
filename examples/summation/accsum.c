/*
 * AccSum: S. M. Rump, T. Ogita, S. Oishi, Accurate floating-point summation part I: faithful rounding,
 * SIAM J. Sci. Comput. 31(1) (2008) 189-224, algorithms 4.1 (Transform) and 4.5 (AccSum).
 * 4 floating-point operations per element for every pass and 1 after the last: 4 m + 1 for m passes, and one
 * comparison for the maximum. (The article counts 4 m + 3: |x| and the comparison as operations.)
 *
 * A pass cuts every element at one bit position, that of sigma * 2^-53: the leading parts sum without error, the
 * remainders replace the elements. Needs n <= 2^26 - 2 and |x[i]| < 2^971 / (n + 2); NaN where that overflows.
 */
#include "summation.h"

/* The smallest power of two >= |p|, for |p| < 2^971 (the article's NextPowerTwo). */
static inline double NextPowerTwo(double p) {
  double q = p * 0x1p53;
  double power = __builtin_fabs((q + p) - q);
  return power == 0.0 ? __builtin_fabs(p) : power;
}

double AccSum(double *x, size_t n) {
  const double two_m = NextPowerTwo((double)(n + 2)); /* 2^M of the paper */
  const double shrink = two_m * 0x1p-53;
  const double enough = two_m * two_m * 0x1p-53;

  for (;;) {
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) {
      double magnitude = __builtin_fabs(x[i]);
      largest = largest > magnitude ? largest : magnitude; /* in this order: one maxsd, no move */
    }
    if (largest == 0.0) return 0.0;

    double sigma = two_m * NextPowerTwo(largest);
    if (sigma - sigma != 0.0) return sigma - sigma; /* overflow: NaN, where the loop would not end */
    double t = 0.0;
    for (;;) {
      double tau = 0.0;
      for (size_t i = 0; i < n; i++) {
        double q = (sigma + x[i]) - sigma;
        x[i] -= q;
        tau += q;
      }
      double tau1 = t + tau;
      if (__builtin_fabs(tau1) >= enough * sigma || sigma <= 0x1p-1022) {
        double tau2 = tau - (tau1 - t);
        double rest = 0.0;
        for (size_t i = 0; i < n; i++) rest += x[i];
        return tau1 + (tau2 + rest);
      }
      t = tau1;
      if (t == 0.0) break; /* everything so far cancelled: begin again with the remainders */
      sigma *= shrink;
    }
  }
}
