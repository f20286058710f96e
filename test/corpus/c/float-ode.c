/* Runge-Kutta on the Lorenz system, Newton and bisection on polynomials, Simpson's rule. */
#include <math.h>
#include <stdio.h>

static void lorenz(const double *x, double *d) {
  d[0] = 10 * (x[1] - x[0]);
  d[1] = x[0] * (28 - x[2]) - x[1];
  d[2] = x[0] * x[1] - 8.0 / 3 * x[2];
}
static double simpson(double (*f)(double), double a, double b, int n) {
  double h = (b - a) / n, s = f(a) + f(b);
  for (int i = 1; i < n; i++) s += f(a + i * h) * (i % 2 ? 4 : 2);
  return s * h / 3;
}

int main(void) {
  double x[3] = {1, 1, 1}, k[4][3], y[3], h = 0.01;
  for (int step = 1; step <= 1000; step++) {
    for (int s = 0; s < 4; s++) {
      for (int i = 0; i < 3; i++) y[i] = x[i] + (s == 0 ? 0 : k[s - 1][i] * h * (s == 3 ? 1 : 0.5));
      lorenz(y, k[s]);
    }
    for (int i = 0; i < 3; i++) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    if (step % 200 == 0) printf("%a %a %a\n", x[0], x[1], x[2]);
  }
  double r = 2;
  for (int i = 0; i < 30; i++) r -= (r * r * r - 2 * r - 5) / (3 * r * r - 2);
  printf("%a %.12g %.12g\n", r, simpson(sin, 0, 3.14159265358979, 100), simpson(exp, 0, 1, 50));
}
