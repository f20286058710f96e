/* One thread has three times as much of work() as the other, a third one starts a thread of its own, two times over. */
#include <pthread.h>
#include <stdio.h>

static double a[4096];
struct part {
  long n;
  double sum;
};

__attribute__((noinline)) static double work(long n) {
  double s = 0;
  for (long i = 0; i < n; i++) s += a[i & 4095] * 1.5;
  return s;
}

static void *start(void *p) {
  struct part *part = p;
  part->sum = work(part->n);
  return 0;
}

static void *nest(void *p) {
  struct part *part = p;
  struct part inner = {part->n / 2, 0};
  pthread_t thread;
  pthread_create(&thread, 0, start, &inner);
  part->sum = work(part->n / 2);
  pthread_join(thread, 0);
  part->sum += inner.sum;
  return 0;
}

int main(int argc, char **argv) {
  for (int i = 0; i < 4096; i++) a[i] = i;
  struct part parts[3] = {{60000, 0}, {20000, 0}, {8000, 0}};
  int count = argc > 1 ? 3 : 2;
  for (int round = 0; round < 2; round++) {
    pthread_t threads[3];
    for (int i = 0; i < count; i++) pthread_create(&threads[i], 0, i < 2 ? start : nest, &parts[i]);
    for (int i = 0; i < count; i++) pthread_join(threads[i], 0);
  }
  printf("%g %g %g\n", parts[0].sum, parts[1].sum, parts[2].sum);
  return 0;
}
