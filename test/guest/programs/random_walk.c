/* Floating-point simulation: Monte Carlo pi, a random walk, Newton's method, Runge-Kutta, Simpson's rule. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t s[2] = {1, 2};
static double uniform(void) {
  uint64_t a = s[0], b = s[1];
  s[0] = b;
  a ^= a << 23;
  s[1] = a ^ b ^ a >> 17 ^ b >> 26;
  return (double)((s[1] + b) >> 11) * 0x1p-53;
}

static double f(double x) { return x * x * x - 2 * x - 5; }

int main(void) {
  int inside = 0;
  for (int i = 0; i < 600; i++) {
    double x = uniform(), y = uniform();
    inside += x * x + y * y < 1;
  }
  float px = 0, py = 0;
  for (int i = 0; i < 300; i++) {
    px += (float)uniform() - 0.5f;
    py += (float)uniform() - 0.5f;
  }
  double x = 2;
  for (int i = 0; i < 8; i++) x -= f(x) / (3 * x * x - 2);
  double y = 1, h = 0.05;
  for (double t = 0; t < 1; t += h) {
    double k1 = y - t, k2 = y + h / 2 * k1 - t - h / 2, k3 = y + h / 2 * k2 - t - h / 2, k4 = y + h * k3 - t - h;
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  double area = 0;
  for (int i = 0; i <= 100; i++) area += f(i * 0.01) * (i == 0 || i == 100 ? 1 : i % 2 ? 4 : 2);
  printf("%d %.9g %.9g %.17g %.17g %.17g\n", inside, (double)px, (double)py, x, y, area * 0.01 / 3);
  srand(42);
  printf("%d\n", abs(rand() % 1000 - rand() % 1000) < 1000);
  return 0;
}
