/* Sines, cosines, tangents and their inverses, also of huge arguments. */
#include <math.h>
#include <stdio.h>

int main(void) {
  for (double x = -1e6; x < 1e6; x += 54321.987) printf("%a %a %a %a\n", sin(x), cos(x), tan(x), atan(x));
  double huge[] = {1e10, 1e22, 1e100, 1.7e308, 3.141592653589793, 1.5707963267948966, 1e-9, 0x1p-1060};
  for (int i = 0; i < 8; i++) {
    double s, c;
    sincos(huge[i], &s, &c);
    printf("%a %a %a %a %a %a\n", s, c, tan(huge[i]), sinf((float)(huge[i] / 3)), cosf((float)(1 / huge[i])), tanf((float)(1 / huge[i])));
  }
  for (double x = -1; x <= 1; x += 0.0625)
    printf("%a %a %a %a %a %a\n", asin(x), acos(x), atan2(x, 0.3), atan2(-0.2, x), asinf((float)x), acosf((float)x));
  for (double x = -8; x < 9; x += 0.9)
    printf("%a %a %a %a %a %a\n", sinh(x), cosh(x), tanh(x), asinh(x), acosh(fabs(x) + 1), atanh(x / 9));
}
