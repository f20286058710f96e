/* Polynomials by Horner, Estrin and Clenshaw; roots by Durand and Kerner; continued fractions. */
#include <complex.h>
#include <stdio.h>

int main(void) {
  double c[8] = {1, -2, 0.5, 3, -0.25, 0.125, 2, -1}, sum = 0;
  for (double x = -2; x <= 2; x += 0.125) {
    double h = 0, x2 = x * x, b1 = 0, b2 = 0;
    for (int i = 7; i >= 0; i--) h = h * x + c[i];
    double e = (c[0] + c[1] * x) + (c[2] + c[3] * x) * x2 + ((c[4] + c[5] * x) + (c[6] + c[7] * x) * x2) * (x2 * x2);
    for (int i = 7; i > 0; i--) { double t = 2 * x * b1 - b2 + c[i]; b2 = b1, b1 = t; }
    sum = sum * 0.5 + h - e * 0.25 + (x * b1 - b2 + c[0]) / 8;
  }
  printf("%.12g\n", sum);
  double complex r[4];
  for (int i = 0; i < 4; i++) r[i] = cpow(0.4 + 0.9 * I, i);
  for (int round = 0; round < 60; round++)
    for (int i = 0; i < 4; i++) {
      double complex p = 1, q = 1;
      p = (((r[i] - 3) * r[i] + 3) * r[i] - 5) * r[i] + 4;
      for (int j = 0; j < 4; j++) if (j != i) q *= r[i] - r[j];
      r[i] -= p / q;
    }
  double complex all = 1;
  for (int i = 0; i < 4; i++) all *= r[i];
  double golden = 1, e = 0;
  for (int i = 0; i < 60; i++) golden = 1 + 1 / golden;
  for (int i = 20; i > 0; i--) e = (i % 3 == 2 ? 2.0 * (i + 1) / 3 : 1) + (e == 0 ? 0 : 1 / e);
  printf("%.9f %.9f %.15g %.12g\n", creal(all), creal(r[0] + r[1] + r[2] + r[3]), golden, e);
}
