/* corpus: not:Ofast */
/* Compensated sums and error-free transformations, which depend on every rounding. */
#include <stdio.h>

static double pairwise(const double *x, int n) { return n == 1 ? *x : pairwise(x, n / 2) + pairwise(x + n / 2, n - n / 2); }

int main(void) {
  static double x[4096];
  unsigned state = 7;
  for (int i = 0; i < 4096; i++) {
    state = state * 1664525 + 1013904223;
    x[i] = ((double)state - 2147483648.0) * (1.0 / (1 + i % 97)) * (i % 5 ? 1 : 1e-12);
  }
  double naive = 0, sum = 0, c = 0, neumaier = 0, rest = 0;
  float single = 0;
  for (int i = 0; i < 4096; i++) {
    naive += x[i];
    single += (float)x[i];
    double y = x[i] - c, t = sum + y;
    c = (t - sum) - y;
    sum = t;
    double u = neumaier + x[i];
    rest += (neumaier < 0 ? -neumaier : neumaier) >= (x[i] < 0 ? -x[i] : x[i]) ? (neumaier - u) + x[i] : (x[i] - u) + neumaier;
    neumaier = u;
  }
  printf("%a %a %a %a %a\n", naive, sum, neumaier + rest, pairwise(x, 4096), single);
}
