/* Single and double precision: sums, rounding, conversions, comparisons with NaN and infinities, signed zeros. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static volatile double zero = 0.0;

static uint64_t bits(double x) {
  uint64_t b;
  memcpy(&b, &x, 8);
  return b;
}

int main(void) {
  double values[] = {0.0, -0.0, 1.0, -1.5, 1e308, -1e-308, 4.9e-324, 3.5, 2147483648.0, -9.3e18, 1.0 / zero, -1.0 / zero, zero / zero};
  int n = (int)(sizeof values / sizeof *values);
  int less = 0, equal = 0, unordered = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      less += values[i] < values[j];
      equal += values[i] == values[j];
      unordered += !(values[i] <= values[j]) && !(values[i] > values[j]);
    }
  printf("%d %d %d\n", less, equal, unordered);
  for (int i = 0; i < n - 3; i++) {
    float f = (float)values[i];
    printf("%g %a %g", values[i], values[i], (double)f);
    if (values[i] > -9e18 && values[i] < 9e18) printf(" %lld", (long long)values[i]);
    if (values[i] > -2e9 && values[i] < 2e9) printf(" %d", (int)f);
    printf(" %016llx\n", (unsigned long long)bits(values[i] * 0.1 + values[(i + 1) % 4] / 3.0 - sqrt(fabs(values[i]))));
  }
  float sum = 0, compensation = 0;
  for (int i = 1; i <= 1000; i++) {
    float y = 1.0f / (float)i - compensation, t = sum + y;
    compensation = (t - sum) - y;
    sum = t;
  }
  uint64_t big = 0xfffffffffffff801u;
  printf("%.9g %.9g %.17g %.17g\n", (double)sum, (double)compensation, (double)big, (double)(int64_t)big);
  printf("%d %d %d\n", isnan(values[12]), isinf(values[10]), signbit(values[1]) != 0);
  return 0;
}
