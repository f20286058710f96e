/*
 * FastAccSum: S. M. Rump, Ultimately fast accurate summation, SIAM J. Sci. Comput. 31(5) (2009) 3466-3502,
 * algorithm FastAccSum. 3 floating-point operations per element for every pass, 1 before the first and 1 after
 * the last: 3 m + 2 for m passes.
 *
 * As AccSum, but the extraction unit sigma itself accumulates the leading parts. That saves one operation and
 * puts every extraction on the path of the accumulation. Needs n <= 2^26 - 2 and sum |x[i]| < 2^969; NaN above.
 */
#include "summation.h"

#define U 0x1p-53
#define ETA_OVER_U 0x1p-1021
#define LARGEST 0x1p969 /* from here on sigma0 / (2 u) may overflow */

double FastAccSum(double *x, size_t n) {
  const double count = (double)n;

  for (;;) {
    double magnitudes = 0.0;
    for (size_t i = 0; i < n; i++) magnitudes += __builtin_fabs(x[i]);
    double bound = magnitudes / (1.0 - count * U); /* T of the paper: sum |x[i]| <= bound */
    if (!(bound < LARGEST)) return __builtin_nan("");
    if (bound <= ETA_OVER_U) {                     /* nothing rounds down here */
      double sum = 0.0;
      for (size_t i = 0; i < n; i++) sum += x[i];
      return sum;
    }

    double t_next = 0.0;
    for (;;) {
      double sigma0 = (2.0 * bound) / (1.0 - (3.0 * count + 1.0) * U);
      double sigma = sigma0;
      for (size_t i = 0; i < n; i++) {
        double next = sigma + x[i];
        x[i] -= next - sigma;
        sigma = next;
      }
      double tau = sigma - sigma0;
      double t = t_next;
      t_next = t + tau;
      if (t_next == 0.0) break; /* everything so far cancelled: begin again with the remainders */

      double q = sigma0 / (2.0 * U);
      double first_bit = __builtin_fabs(q / (1.0 - U) - q); /* unit in the first place of sigma0 */
      double enough = ((2.0 * count * (count + 2.0) * U) * first_bit) / (1.0 - 5.0 * U);
      double by_sigma = ((1.5 + 4.0 * U) * (count * U)) * sigma0;
      double by_bit = (2.0 * count * U) * first_bit;
      bound = by_sigma < by_bit ? by_sigma : by_bit;
      if (__builtin_fabs(t_next) >= enough || 4.0 * bound <= ETA_OVER_U) {
        double tau2 = (t - t_next) + tau;
        double rest = 0.0;
        for (size_t i = 0; i < n; i++) rest += x[i];
        return t_next + (tau2 + rest);
      }
    }
  }
}
