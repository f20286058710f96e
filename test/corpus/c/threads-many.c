/* corpus: uncounted -pthread */
/* Many short threads, nested creation, results by atomics, each with its own stack. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static atomic_long total;
static void *leaf(void *p) {
  char stack[2000];
  memset(stack, (int)(uintptr_t)p, sizeof stack);
  long s = 0;
  for (int i = 0; i < 2000; i++) s += stack[i];
  atomic_fetch_add(&total, s);
  return NULL;
}
static void *branch(void *p) {
  pthread_t t[3];
  for (uintptr_t i = 0; i < 3; i++) pthread_create(&t[i], NULL, leaf, (void *)((uintptr_t)p + i));
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return p;
}

int main(void) {
  for (int round = 0; round < 3; round++) {
    pthread_t t[6];
    for (uintptr_t i = 0; i < 6; i++) pthread_create(&t[i], NULL, branch, (void *)i);
    uintptr_t sum = 0;
    for (int i = 0; i < 6; i++) { void *r; pthread_join(t[i], &r); sum = sum * 10 + (uintptr_t)r; }
    printf("%lu %ld\n", (unsigned long)sum, total);
  }
}
