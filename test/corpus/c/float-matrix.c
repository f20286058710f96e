/* Elimination with pivots, a determinant, an inverse and eigenvalues by iteration. */
#include <math.h>
#include <stdio.h>

#define N 9
int main(void) {
  double a[N][2 * N] = {{0}}, det = 1;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) a[i][j] = 1.0 / (i + j + 1) + (i == j) * 0.5 - (i * j % 4) * 0.25;
    a[i][N + i] = 1;
  }
  for (int k = 0; k < N; k++) {
    int p = k;
    for (int i = k + 1; i < N; i++) if (fabs(a[i][k]) > fabs(a[p][k])) p = i;
    if (p != k) {
      det = -det;
      for (int j = 0; j < 2 * N; j++) { double t = a[k][j]; a[k][j] = a[p][j]; a[p][j] = t; }
    }
    det *= a[k][k];
    double r = 1 / a[k][k];
    for (int j = 0; j < 2 * N; j++) a[k][j] *= r;
    for (int i = 0; i < N; i++)
      if (i != k) {
        double f = a[i][k];
        for (int j = 0; j < 2 * N; j++) a[i][j] -= f * a[k][j];
      }
  }
  printf("%.15g\n", det);
  for (int i = 0; i < N; i++, puts(""))
    for (int j = 0; j < N; j++) printf("%.12g ", a[i][N + j]);
  double v[N], w[N], lambda = 0;
  for (int i = 0; i < N; i++) v[i] = 1;
  for (int round = 0; round < 60; round++) {
    double norm = 0;
    for (int i = 0; i < N; i++) {
      w[i] = 0;
      for (int j = 0; j < N; j++) w[i] += a[i][N + j] * v[j];
      norm += w[i] * w[i];
    }
    lambda = sqrt(norm);
    for (int i = 0; i < N; i++) v[i] = w[i] / lambda;
  }
  printf("%.10g\n", lambda);
}
