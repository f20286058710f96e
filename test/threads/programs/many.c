#include <pthread.h>
#include <stdlib.h>

/* As many threads as the argument says, each with a chain of another length. */

static volatile long sums[1000];

static void *chain(void *argument) {
  long index = (long)argument, sum = index;
  for (long i = 0; i < 100 + 10 * index; i++) sum = sum * 3 + i;
  sums[index] = sum;
  return NULL;
}

int main(int count, char **arguments) {
  long threads = atol(arguments[1]);
  pthread_t all[1000];
  for (long i = 0; i < threads; i++) pthread_create(all + i, NULL, chain, (void *)i);
  for (long i = 0; i < threads; i++) pthread_join(all[i], NULL);
}
