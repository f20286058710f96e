/* Taking apart and putting together: frexp, ldexp, scalbn, logb, ilogb, nextafter, copysign, fdim, classification. */
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void) {
  volatile double values[] = {1, -3.75, 1e-310, DBL_MAX, DBL_TRUE_MIN, 0, -0.0, INFINITY, 123456789};
  for (int i = 0; i < 9; i++) {
    double x = values[i];
    int e = 0, ef = 0, el = 0;
    double m = frexp(x, &e);
    float mf = frexpf((float)x, &ef);
    long double ml = frexpl(x, &el);
    if (isinf(x)) e = el = 0;
    if (isinf((float)x)) ef = 0;
    printf("%a %d %a %d %La %d\n", m, e, mf, ef, ml, el);
    printf("%a %a %a %d\n", ldexp(x, 5), scalbn(x, -1070), logb(x), x == 0 || isinf(x) ? 0 : ilogb(x));
    printf("%a %a %a %a\n", nextafter(x, 2), nextafterf((float)x, -INFINITY), nexttoward(x, 1e4000L), copysign(x, -1));
    printf("%a %a %a %d %d %d %d %d\n", fdim(x, 1), fmax(x, 1), fmin(x, -1), fpclassify(x), fpclassify((float)x), isnormal(x) != 0, signbit(x) != 0,
           isfinite(x) != 0);
  }
}
