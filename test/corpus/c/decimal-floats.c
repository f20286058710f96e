/* corpus: not:clang-O0,clang-O2,musl */
/* _Decimal32, _Decimal64 and _Decimal128 by libgcc. */
#include <stdio.h>

int main(void) {
  volatile _Decimal64 a = 0.1dd, b = 0.2dd, c = 12345.678dd;
  volatile _Decimal32 s = 9.999999e90df;
  volatile _Decimal128 l = 1.000000000000000000000000000000001dl;
  printf("%d %d\n", a + b == 0.3dd, (double)0.1 + 0.2 == 0.3);
  printf("%.17g %.17g %.17g\n", (double)(a + b), (double)(c / b), (double)(c * c - a));
  printf("%d %lld %g %g\n", (int)c, (long long)(c * 1000), (double)s, (float)(s / 3));
  printf("%.20Lg %d %d\n", (long double)(l * 3), l > 1, l - 1 == 1e-33dl);
  _Decimal64 interest = 1000;
  for (int i = 0; i < 50; i++) interest = interest + interest * 0.0325dd;
  printf("%.16g %d\n", (double)interest, (int)(interest > 4900));
  _Decimal128 sum = 0;
  for (int i = 1; i < 60; i++) sum += (_Decimal128)1 / i;
  printf("%.25Lg\n", (long double)sum);
}
