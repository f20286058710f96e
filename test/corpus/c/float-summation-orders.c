/* The same terms in several orders and precisions. */
#include <math.h>
#include <stdio.h>

int main(void) {
  float f = 0, g = 0;
  double d = 0, e = 0;
  long double l = 0;
  for (int i = 1; i <= 5000; i++) f += 1.0f / (float)i, d += 1.0 / i, l += 1.0L / i;
  for (int i = 5000; i >= 1; i--) g += 1.0f / (float)i, e += 1.0 / i;
  printf("%a %a %a %a %.19Lg\n", f, g, d, e, l);
  double product = 1, alternating = 0;
  for (int i = 1; i < 300; i++) product *= 1 + 1.0 / (i * i), alternating += (i % 2 ? 1 : -1) / sqrt(i);
  printf("%a %a\n", product, alternating);
}
