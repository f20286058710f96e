/* Two threads at a time share an array. A file tells in which order, which decides on what depends on what, and not on what is executed. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define LENGTH 4096

static unsigned values[LENGTH];
static unsigned long seed;
static unsigned factor;

__attribute__((noinline)) static unsigned long mix(unsigned long x) { return (x ^ (x >> 7)) * 0x9e3779b97f4a7c15ul; }

__attribute__((noinline)) static unsigned long round_of(unsigned from, unsigned long sum) {
  for (unsigned i = from; i < LENGTH; i += 2) {
    unsigned long mixed = mix(values[i]);
    values[(i * factor + 2) % LENGTH] += (unsigned)mixed;
    sum ^= mixed;
  }
  return sum;
}

static void *work(void *which) {
  unsigned long sum = seed;
  for (int i = 0; i < 150; i++) sum = round_of((unsigned)(unsigned long)which, sum);
  return (void *)sum;
}

int main(int argc, char **argv) {
  FILE *file = fopen(argv[1], "r");
  unsigned fromFile = 0, fromInput = 0;
  if (file == NULL || fscanf(file, "%u", &fromFile) != 1 || scanf("%u", &fromInput) != 1) return 1;
  seed = fromInput;
  factor = fromFile;
  for (unsigned i = 0; i < LENGTH; i++) values[i] = i;
  unsigned long before = 0;
  for (int i = 0; argc > 2 && i < 150; i++) before = round_of(0, before);
  pthread_t threads[2];
  for (unsigned long i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  unsigned long sum = before;
  for (int i = 0; i < 2; i++) {
    void *result;
    pthread_join(threads[i], &result);
    sum ^= (unsigned long)result;
  }
  /* The run goes on for a while when its threads have ended. */
  for (int i = 0; i < 50; i++) sum = round_of(0, sum);
  printf("%016lx\n", sum);
  return 0;
}
