/* Sums, products and quotients of every pair of special and ordinary values, in three precisions. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#define EACH(T, NAME, FORMAT, MAX, MIN, TINY)                                                      \
  static void NAME(void) {                                                                         \
    volatile T v[] = {0, -(T)0, 1, -1.5, (T)1 / 3, MAX, MIN, TINY, INFINITY, -INFINITY, 1e10, 7e-5}; \
    for (int i = 0; i < 12; i++)                                                                   \
      for (int j = 0; j < 12; j++) {                                                               \
        T a = v[i], b = v[j];                                                                      \
        printf(FORMAT " " FORMAT " " FORMAT " " FORMAT " %d%d%d\n", a + b, a - b, a * b, isnan(a / b) ? 99 : a / b, \
               a < b, a == b, a >= b);                                                             \
      }                                                                                            \
  }
EACH(float, f, "%a", FLT_MAX, FLT_MIN, FLT_TRUE_MIN)
EACH(double, d, "%a", DBL_MAX, DBL_MIN, DBL_TRUE_MIN)
EACH(long double, l, "%La", LDBL_MAX, LDBL_MIN, LDBL_TRUE_MIN)

int main(void) { f(), d(), l(); }
