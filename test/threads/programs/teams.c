/* Parallel regions of OpenMP: balanced, 3:1 and forked three times over, and two nested ones. */
#include <omp.h>
#include <stdio.h>

static double a[4096], b[4096];

__attribute__((noinline)) static double part(long n) {
  double s = 0;
  for (long i = 0; i < n; i++) s += a[i & 4095] * 1.5;
  return s;
}

__attribute__((noinline)) static double inner(long n) {
  double s = 0;
  for (long i = 0; i < n; i++) s += b[i & 4095] * 0.5;
  return s;
}

int main(void) {
  omp_set_max_active_levels(2);
  double s = 0;
  for (int i = 0; i < 4096; i++) a[i] = b[i] = i;
#pragma omp parallel num_threads(2) reduction(+ : s)
  s += part(4000);
  for (int round = 0; round < 3; round++)
#pragma omp parallel num_threads(2) reduction(+ : s)
    s += part(omp_get_thread_num() ? 2000 : 6000);
#pragma omp parallel num_threads(2) reduction(+ : s)
  {
    int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2) reduction(+ : s)
    s += inner(outer ? 12000 : omp_get_thread_num() ? 8000 : 4000);
  }
  printf("%g\n", s);
  return 0;
}
