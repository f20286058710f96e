/* Two threads that wait for one another at a barrier: 3:1 before it and 1:3 behind it. */
#include <pthread.h>
#include <stdio.h>

static double a[4096], results[2];
static pthread_barrier_t barrier;

__attribute__((noinline)) static double part(long n) {
  double s = 0;
  for (long i = 0; i < n; i++) s += a[i & 4095] * 1.5;
  return s;
}

static void *work(void *which) {
  long t = (long)which;
  results[t] = part(t ? 20000 : 60000);
  pthread_barrier_wait(&barrier);
  results[t] += part(t ? 60000 : 20000);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 4096; i++) a[i] = i;
  pthread_barrier_init(&barrier, 0, 2);
  for (long t = 0; t < 2; t++) pthread_create(&threads[t], 0, work, (void *)t);
  for (int t = 0; t < 2; t++) pthread_join(threads[t], 0);
  printf("%g\n", results[0] + results[1]);
  return 0;
}
