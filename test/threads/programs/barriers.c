/* A region of OpenMP that a barrier divides: 3:1 before it and 1:3 behind it, twice; each thread has as much in all. */
#include <omp.h>
#include <stdio.h>

static double a[4096];

__attribute__((noinline)) static double part(long n) {
  double s = 0;
  for (long i = 0; i < n; i++) s += a[i & 4095] * 1.5;
  return s;
}

int main(void) {
  double s = 0;
  for (int i = 0; i < 4096; i++) a[i] = i;
  for (int round = 0; round < 2; round++)
#pragma omp parallel num_threads(2) reduction(+ : s)
  {
    s += part(omp_get_thread_num() ? 2000 : 6000);
#pragma omp barrier
    s += part(omp_get_thread_num() ? 6000 : 2000);
  }
  printf("%g\n", s);
  return 0;
}
