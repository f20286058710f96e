/* Matrix products in three loop orders, transposition, LU with pivoting, a stencil; double, float and integers. */
#include <math.h>
#include <stdio.h>

enum { N = 12 };
static double a[N][N], b[N][N], c[N][N];
static float f[N][N], g[N][N];
static int m[N][N];

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = 1.0 / (i + j + 1);
      b[i][j] = i * 0.5 - j;
      f[i][j] = (float)(i * j % 7);
      m[i][j] = i * 31 ^ j * 17;
    }
  for (int i = 0; i < N; i++)
    for (int k = 0; k < N; k++)
      for (int j = 0; j < N; j++) c[i][j] += a[i][k] * b[k][j];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++) g[i][j] += f[i][k] * f[k][j];
  long trace = 0;
  for (int j = 0; j < N; j++)
    for (int i = 0; i < N; i++) trace += m[i][j] * m[j][i];
  double determinant = 1;
  for (int k = 0; k < N; k++) {
    int pivot = k;
    for (int i = k + 1; i < N; i++)
      if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
    for (int j = 0; j < N; j++) {
      double t = a[k][j];
      a[k][j] = a[pivot][j];
      a[pivot][j] = t;
    }
    determinant *= pivot == k ? a[k][k] : -a[k][k];
    for (int i = k + 1; i < N; i++) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < N; j++) a[i][j] -= a[i][k] * a[k][j];
    }
  }
  for (int pass = 0; pass < 2; pass++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) b[i][j] = (c[i - 1][j] + c[i + 1][j] + c[i][j - 1] + c[i][j + 1]) * 0.25;
  printf("%.15g %g %ld %.10g %.15g\n", c[3][4], (double)g[5][6], trace, determinant, b[5][5]);
  return 0;
}
