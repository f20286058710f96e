/* Matrix product in the order i, k, j: rows are streamed, every element of the result is loaded and stored n times. */
#include "kernel.h"

#define N 96

static KEEP void multiply(const double a[N][N], const double b[N][N], double c[N][N]) {
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++) {
      double factor = a[i][k];
      for (int j = 0; j < N; j++) c[i][j] += factor * b[k][j];
    }
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 10);
  static double a[N][N], b[N][N], c[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = random32() * 0x1p-32;
      b[i][j] = random32() * 0x1p-32;
    }
  for (uint64_t r = 0; r < repetitions; r++) {
    a[r % N][r % N] += 1;
    multiply(a, b, c);
  }
  double total = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) total += c[i][j] * (double)(i - j);
  return checksum_double(total);
}
