/* Matrix products in five loop orders, float, double and integers, checked against each other. */
#include <stdio.h>
#include <string.h>

#define N 28
#define ORDER(A, B, C) for (int A = 0; A < N; A++) for (int B = 0; B < N; B++) for (int C = 0; C < N; C++)
#define EACH(T, NAME)                                                                     \
  static int NAME(void) {                                                                 \
    static T a[N][N], b[N][N], r[6][N][N];                                                \
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = (T)(i * 3 - j), b[i][j] = (T)((i ^ j) % 9); \
    ORDER(i, j, k) r[0][i][j] += a[i][k] * b[k][j];                                       \
    ORDER(i, k, j) r[1][i][j] += a[i][k] * b[k][j];                                       \
    ORDER(k, i, j) r[2][i][j] += a[i][k] * b[k][j];                                       \
    ORDER(j, k, i) r[3][i][j] += a[i][k] * b[k][j];                                       \
    for (int jj = 0; jj < N; jj += 7) for (int kk = 0; kk < N; kk += 7)                   \
      for (int i = 0; i < N; i++) for (int j = jj; j < jj + 7; j++) for (int k = kk; k < kk + 7; k++) r[4][i][j] += a[i][k] * b[k][j]; \
    double trace = 0;                                                                     \
    for (int i = 0; i < N; i++) trace += (double)r[0][i][N - 1 - i];                      \
    int same = 0;                                                                         \
    for (int v = 1; v < 5; v++) same += memcmp(r[0], r[v], sizeof r[0]) == 0;             \
    return printf(#T " %d %.15g\n", same, trace);                                         \
  }
EACH(float, f) EACH(double, d) EACH(int, i) EACH(short, s) EACH(long, l) EACH(unsigned char, c) EACH(long double, x)

int main(void) { f(), d(), i(), s(), l(), c(), x(); }
