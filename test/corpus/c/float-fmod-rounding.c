/* Rounding functions and remainders: floor, ceil, round, trunc, fmod, remainder, remquo, modf. */
#include <math.h>
#include <stdio.h>

int main(void) {
  volatile double values[] = {0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e15 + 0.5, 4503599627370497.5, 9007199254740993, 1e300, 0.49999999999999994, -7.75};
  for (int i = 0; i < 13; i++) {
    double x = values[i], whole;
    double part = modf(x, &whole);
    printf("%a: %a %a %a %a %a %a %a %ld %lld\n", x, floor(x), ceil(x), round(x), trunc(x), roundf((float)x), part, whole,
           fabs(x) < 1e17 ? lround(x) : 0, fabs(x) < 1e17 ? llroundl((long double)x) : 0);
    printf("%a %a %a %La %La %La\n", floorf((float)x), ceilf((float)x), truncf((float)x), floorl(x), ceill(x), roundl(x));
    for (int j = 2; j < 13; j++) {
      double y = values[j];
      int q;
      double r = remquo(x, y, &q);
      printf(" %a %a %a %d %La %a", fmod(x, y), remainder(x, y), r, q & 7, fmodl(x, y), fmodf((float)x, (float)y));
    }
    puts("");
  }
}
