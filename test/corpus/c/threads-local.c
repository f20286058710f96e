/* corpus: uncounted apart:20000 -pthread */
/* Thread-local variables, keys with destructors, errno of each thread. */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static __thread int counter = 100;
static __thread char buffer[3000];
static pthread_key_t key;
static int destroyed;
static void destroy(void *p) { __atomic_add_fetch(&destroyed, *(int *)p, __ATOMIC_SEQ_CST); free(p); }
static void *work(void *argument) {
  int n = (int)(uintptr_t)argument, *p = malloc(sizeof *p);
  *p = n;
  pthread_setspecific(key, p);
  errno = n;
  for (int i = 0; i < 1000 * n; i++) counter++, buffer[i % 3000]++;
  return (void *)(uintptr_t)(counter * 10 + (errno == n) + buffer[5] * 1000000 + (pthread_getspecific(key) == p));
}

int main(void) {
  pthread_key_create(&key, destroy);
  pthread_t t[5];
  for (uintptr_t i = 0; i < 5; i++) pthread_create(&t[i], NULL, work, (void *)(i + 1));
  for (int i = 0; i < 5; i++) {
    void *result;
    pthread_join(t[i], &result);
    printf("%lu\n", (unsigned long)result);
  }
  printf("%d %d %d\n", counter, destroyed, buffer[5]);
}
