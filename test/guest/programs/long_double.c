/* 80-bit arithmetic: constants, conversions, comparisons, square roots, printing and reading. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  long double sum = 0, term = 1;
  for (int i = 1; i < 40; i++) {
    sum += term;
    term /= i;
  }
  printf("%.20Lf %La\n", sum, sum);
  long double values[] = {0.0L, -1.25L, 3.14159265358979323846L, 0x1.fffffffffffffffep+10L, 1e4000L, 1e-4940L};
  for (int i = 0; i < 6; i++) {
    long double v = values[i];
    if (i < 4) printf("%Lg %.15Le ", v, v);
    printf("%La %a %d %d\n", v, (double)v, v < 1, v == (double)v);
  }
  const char *texts[] = {"1.1", "-0x1.8p-3", "0x1p-16445", "123456789012345678901234567890", "inf", "0.1e1zzz"};
  for (int i = 0; i < 6; i++) {
    char *end;
    long double v = strtold(texts[i], &end);
    if (i != 2) printf("%.21Lg ", v);
    printf("%La [%s]\n", v, end);
  }
  long double x = 2;
  for (int i = 0; i < 5; i++) x = sqrtl(x) * 1.5L - fabsl(-0.25L);
  printf("%.19Lg %lld %llu %d\n", x, (long long)(x * 1e15L), (unsigned long long)(x * 1e19L), (int)-x);
  printf("%.19Lg %.19Lg\n", (long double)0xffffffffffffffffull, (long double)-0x7fffffffffffffffll);
  return 0;
}
