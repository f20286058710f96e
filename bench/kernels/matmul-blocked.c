/* Matrix product in 4 by 4 register tiles within cache blocks. */
#include "kernel.h"

#define N 192
#define BLOCK 48

static KEEP void tile(const double *a, const double *b, double *c) {
  double sums[4][4] = {{0}};
  for (int k = 0; k < BLOCK; k++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) sums[i][j] += a[i * N + k] * b[k * N + j];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) c[i * N + j] += sums[i][j];
}

static KEEP void multiply(const double *a, const double *b, double *c) {
  for (int i0 = 0; i0 < N; i0 += BLOCK)
    for (int k0 = 0; k0 < N; k0 += BLOCK)
      for (int j0 = 0; j0 < N; j0 += BLOCK)
        for (int i = i0; i < i0 + BLOCK; i += 4)
          for (int j = j0; j < j0 + BLOCK; j += 4) tile(a + i * N + k0, b + k0 * N + j, c + i * N + j);
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 1);
  static double a[N * N], b[N * N], c[N * N];
  for (int i = 0; i < N * N; i++) {
    a[i] = random32() * 0x1p-32;
    b[i] = random32() * 0x1p-32;
  }
  for (uint64_t r = 0; r < repetitions; r++) {
    a[r % (N * N)] += 1;
    multiply(a, b, c);
  }
  double total = 0;
  for (int i = 0; i < N * N; i++) total += c[i] * (double)(i % 7);
  return checksum_double(total);
}
