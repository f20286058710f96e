/* corpus: -frounding-math not:Ofast */
/* Every rounding mode for conversions, arithmetic, rint and printf. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>

int main(void) {
  int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  volatile double values[] = {0.5, 1.5, 2.5, -0.5, -1.5, 1e15 + 0.5, 2147483646.5, -2147483647.5, 0.1};
  volatile double three = 3;
  for (int m = 0; m < 4; m++) {
    fesetround(modes[m]);
    printf("mode %d\n", fegetround() == modes[m]);
    for (int i = 0; i < 9; i++) {
      volatile double x = values[i];
      volatile float f = (float)x;
      volatile long double l = (long double)x / three;
      printf("%a %a %a %La %ld %lld %d %a %a %a %a\n", x / three, x * 1.1, (double)f, l, lrint(x), llrintf(f), (int)x, rint(x), nearbyint(x),
             sqrt(fabs(x)), (double)l);
      printf("%.0f %.2e %.3g %.1f\n", x, x, x, x / three);
    }
    volatile long long big = 0x7fffffffffffffff;
    volatile unsigned long long ubig = ~0ull - 1024;
    printf("%a %a %a %a\n", (double)big, (float)big, (double)ubig, (float)ubig);
  }
}
