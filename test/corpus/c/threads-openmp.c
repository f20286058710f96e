/* corpus: uncounted apart:20000 -fopenmp not:musl,clang-O0,clang-O2 */
/* OpenMP: parallel loops with reductions and schedules, sections, tasks, critical, atomic, ordered. */
#include <omp.h>
#include <stdio.h>

static int fib(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a) if (n > 8)
  a = fib(n - 1);
#pragma omp task shared(b) if (n > 8)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

int main(void) {
  static double v[1000];
  double sum = 0;
  long product = 0, counted = 0;
  int most = 0, f = 0;
  omp_set_num_threads(3);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < 1000; i++) v[i] = i * 0.5;
#pragma omp parallel for reduction(+ : sum) reduction(max : most) schedule(dynamic, 7)
  for (int i = 0; i < 1000; i++) { sum += v[i]; if (i * 37 % 1001 > most) most = i * 37 % 1001; }
#pragma omp parallel
  {
#pragma omp critical
    product += omp_get_num_threads();
#pragma omp for schedule(guided)
    for (int i = 0; i < 100; i++)
#pragma omp atomic
      counted += i;
#pragma omp single
    f = fib(12);
#pragma omp sections
    {
#pragma omp section
      v[0] = 1;
#pragma omp section
      v[1] = 2;
    }
  }
#pragma omp parallel for ordered
  for (int i = 0; i < 5; i++)
#pragma omp ordered
    printf("%d ", i);
  printf("%g %d %ld %ld %d %g\n", sum, most, product, counted, f, v[0] + v[1]);
}
