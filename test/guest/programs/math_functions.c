/* The mathematical library in single and double precision. */
#include <math.h>
#include <stdio.h>

int main(void) {
  for (double x = 0.1; x < 60; x *= 3.7) {
    printf("%.17g %.17g %.17g ", sin(x), cos(x), tan(x));
    printf("%.17g %.17g %.17g %.17g ", exp(-x), log(x), log10(x), log2(x));
    printf("%.17g %.17g %.17g\n", pow(x, 1.7), cbrt(x), sqrt(x));
    printf("%.17g %.17g %.17g ", atan(x), atan2(x, -2.0), asin(1 / (1 + x)));
    printf("%.17g %.17g %.17g ", sinh(x / 10), tanh(x), hypot(x, 3.0));
    printf("%.9g %.9g %.9g\n", (double)sinf((float)x), (double)expf((float)-x), (double)powf((float)x, 0.3f));
    int exponent;
    double integral, fraction = modf(x, &integral), mantissa = frexp(x, &exponent);
    printf("%g %g %g %d %g %g %g ", integral, fraction, mantissa, exponent, fmod(x, 0.7), floor(-x), ceil(x));
    printf("%g %g %ld %g %g %g\n", rint(x), round(-x), lrint(x), ldexp(x, -3), erf(x / 5), tgamma(x / 9 + 1));
  }
  return 0;
}
