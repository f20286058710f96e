/* corpus: uncounted apart:20000 -pthread */
/* Threads with arguments and results, joined in order. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static void *sum(void *argument) {
  uintptr_t n = (uintptr_t)argument, s = 0;
  for (uintptr_t i = 0; i < n * 1000; i++) s = s * 31 + i;
  return (void *)s;
}

int main(void) {
  pthread_t threads[8];
  for (uintptr_t i = 0; i < 8; i++) pthread_create(&threads[i], NULL, sum, (void *)i);
  for (int i = 0; i < 8; i++) {
    void *result;
    printf("%d ", pthread_join(threads[i], &result));
    printf("%lx\n", (unsigned long)result);
  }
}
