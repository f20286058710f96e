/* Comparisons of floats as values, in conditions, in sorts, minima and clamps, against integers. */
#include <math.h>
#include <stdio.h>

int main(void) {
  volatile double v[] = {0.0, -0.0, 1.0, -1.0, 1e-320, INFINITY, -INFINITY, 4503599627370496.5};
  int table = 0;
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      double a = v[i], b = v[j];
      table = table * 3 + (a < b) * 1 + (a <= b) * 2 + (a == b) * 4 + (a != b) * 8 + (a > b) * 16 + (a >= b) * 32 + (!(a < b)) * 64;
      if (a < b && !(b < a) && (float)a <= (float)b) table ^= 0x1234;
      double low = a < b ? a : b, high = a < b ? b : a, clamp = a < -1 ? -1 : a > 1 ? 1 : a;
      table += (int)(low > -10 && low < 10 ? low * 2 : 7) + (high == a) + (int)(clamp * 3);
    }
  long double x = 0.1L;
  float f = 0.1f;
  printf("%d %d%d%d%d %d\n", table, x == 0.1, (double)x == 0.1, f == 0.1, f < 0.1L, (int)(0.1 + 0.2 == 0.3) + 2 * (0.1f + 0.2f == 0.3f));
}
