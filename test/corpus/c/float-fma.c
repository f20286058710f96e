/* fma in three precisions: one rounding, also where the product alone overflows or vanishes. */
#include <float.h>
#include <math.h>
#include <stdio.h>

int main(void) {
  volatile double v[] = {1 + DBL_EPSILON, 1 - DBL_EPSILON / 2, -1, 0x1p-1074, 0x1p1000, 3, 1e-200, DBL_MAX, -0.0, 0x1.fffffep0, INFINITY};
  for (int i = 0; i < 11; i++)
    for (int j = i; j < 11; j++)
      for (int k = 0; k < 11; k += 2) {
        double r = fma(v[i], v[j], v[k]);
        float f = fmaf((float)v[i], (float)v[j], (float)v[k]);
        long double l = fmal(v[i], v[j], v[k]);
        if (isnan(r)) r = 99;
        if (isnan(f)) f = 99;
        if (isnan(l)) l = 99;
        printf("%a %a %La\n", r, f, l);
      }
}
