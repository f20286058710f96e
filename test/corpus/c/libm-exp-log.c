/* Exponentials, logarithms and powers over their whole range. */
#include <math.h>
#include <stdio.h>

int main(void) {
  for (double x = -745; x < 710; x += 31.7) printf("%a %a %a %a %a\n", exp(x), exp2(x), expm1(x / 10), expf((float)x / 9), exp10(x / 3));
  for (double x = 1e-300; x < 1e300; x *= 7.3e17)
    printf("%a %a %a %a %a %a\n", log(x), log2(x), log10(x), log1p(x), logf((float)x), log2f((float)x));
  volatile double base[] = {0.5, 1, 2, 10, 1.0000001, -2, -3, 0, 1e-5}, power[] = {0, 1, -1, 0.5, 3, 100.25, -7, 1e8, 1e-8};
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j++) {
      double p = pow(base[i], power[j]);
      float f = powf((float)base[i], (float)power[j]);
      printf("%a %a\n", isnan(p) ? 99 : p, isnan(f) ? 99 : f);
    }
}
