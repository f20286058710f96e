/* corpus: -lquadmath not:clang-O0,clang-O2,musl,Ofast */
/* __float128 by libgcc's software and libquadmath. */
#include <quadmath.h>
#include <stdio.h>

static void show(const char *name, __float128 x) {
  char text[64];
  quadmath_snprintf(text, sizeof text, "%.34Qg", x);
  printf("%s %s\n", name, text);
}

int main(void) {
  volatile __float128 two = 2, ten = 10;
  show("third", 1 / (two + 1)); show("sqrt", sqrtq(two)); show("exp", expq(1)); show("log", logq(ten)); show("sin", sinq(1));
  show("atan", 4 * atanq(1)); show("pow", powq(two, 0.5Q)); show("big", ten * 1e4900Q); show("small", 1e-4960Q / ten);
  __float128 sum = 0;
  for (int i = 1; i <= 300; i++) sum += 1 / (__float128)i - (i % 3) * sum / 7;
  show("sum", sum);
  printf("%d %lld %a %La %d%d%d\n", (int)sum, (long long)(sum * 1e15Q), (double)sum, (long double)sum, sum < two, sum == two, sum > two);
  show("from", (__float128)0.1L + 3u + 7ll + 0.5f);
  show("parsed", strtoflt128("3.14159265358979323846264338327950288", NULL));
  show("floor", floorq(-sum * 1000) + remainderq(ten, 3) + fmaq(two, ten, sum));
}
