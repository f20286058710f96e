/* Horner's scheme: a multiply and an add in one chain, at many points. */
#include "kernel.h"

#define DEGREE 32
#define POINTS 1024

static KEEP double horner(const double *coefficients, double x) {
  double value = coefficients[DEGREE];
  for (int i = DEGREE - 1; i >= 0; i--) value = value * x + coefficients[i];
  return value;
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 1000);
  static double coefficients[DEGREE + 1], points[POINTS];
  for (int i = 0; i <= DEGREE; i++) coefficients[i] = random32() * 0x1p-32 - 0.5;
  for (int i = 0; i < POINTS; i++) points[i] = random32() * 0x1p-31 - 1;
  double total = 0;
  for (uint64_t r = 0; r < repetitions; r++) {
    coefficients[r % (DEGREE + 1)] *= -1;
    for (int i = 0; i < POINTS; i++) total += horner(coefficients, points[i]);
  }
  return checksum_double(total);
}
