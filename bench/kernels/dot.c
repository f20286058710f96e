/* Dot product with four accumulators: four chains side by side. */
#include "kernel.h"

#define LENGTH 4096

static KEEP double dot(const double *a, const double *b, int length) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (int i = 0; i < length; i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  return (s0 + s1) + (s2 + s3);
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 10000);
  static double a[LENGTH], b[LENGTH];
  for (int i = 0; i < LENGTH; i++) {
    a[i] = random32() * 0x1p-32;
    b[i] = random32() * 0x1p-32;
  }
  double total = 0;
  for (uint64_t r = 0; r < repetitions; r++) {
    a[r % LENGTH] = -a[r % LENGTH];
    total += dot(a, b, LENGTH);
  }
  return checksum_double(total);
}
