/* Gamma, error and Bessel functions, roots, hypotenuses. */
#include <math.h>
#include <stdio.h>

int main(void) {
  for (double x = -5.3; x < 20; x += 0.83)
    printf("%a %a %a %a\n", tgamma(x), lgamma(x), erf(x / 4), erfc(x / 4));
  for (double x = 0.1; x < 40; x *= 1.5)
    printf("%a %a %a %a %a %a\n", j0(x), j1(x), jn(3, x), y0(x), y1(x), yn(2, x));
  for (double x = 1e-200; x < 1e200; x *= 3.7e21)
    printf("%a %a %a %a %a\n", sqrt(x), cbrt(x), hypot(x, 3 * x), cbrtf((float)x), hypotf((float)x, 1));
  printf("%a %a %a %a\n", hypot(3e200, 4e200), sqrtf(2), cbrt(-27), hypot(INFINITY, NAN));
}
