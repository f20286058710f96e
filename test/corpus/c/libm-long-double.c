/* Functions of long double, which the x87 computes; processors differ in the last bits. */
#include <math.h>
#include <stdio.h>

int main(void) {
  for (long double x = -30; x < 30; x += 3.7L) {
    printf("%.17Lg %.17Lg %.17Lg %.17Lg\n", expl(x), exp2l(x), expm1l(x), sinhl(x / 3));
    printf("%.17Lg %.17Lg %.17Lg %.17Lg\n", sinl(x), cosl(x), tanl(x), atanl(x));
    long double y = fabsl(x) + 0.1L;
    printf("%.17Lg %.17Lg %.17Lg %.17Lg %.17Lg\n", logl(y), log2l(y), log10l(y), log1pl(y), sqrtl(y));
    printf("%.17Lg %.17Lg %.17Lg %.17Lg\n", powl(y, x / 7), cbrtl(x), hypotl(x, y), atan2l(x, y));
    printf("%.17Lg %.17Lg %.17Lg %.17Lg\n", asinl(x / 31), acosl(x / 31), erfl(x / 10), tgammal(y));
    printf("%.17Lg %.17Lg %.17Lg %ld\n", fmodl(x, 1.3L), remainderl(x, 1.3L), rintl(x), lrintl(x));
  }
}
