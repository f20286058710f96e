/* The C library's generators from fixed seeds. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  srand(42);
  for (int i = 0; i < 5; i++) printf("%d ", rand());
  srandom(7);
  for (int i = 0; i < 5; i++) printf("%ld ", random());
  unsigned seed = 5;
  for (int i = 0; i < 5; i++) printf("%d ", rand_r(&seed));
  srand48(99);
  for (int i = 0; i < 5; i++) printf("%.12f %ld %ld\n", drand48(), lrand48(), mrand48());
  unsigned short x[3] = {1, 2, 3};
  printf("%.12f %ld\n", erand48(x), nrand48(x));
  char state[64];
  initstate(3, state, sizeof state);
  long sum = 0;
  for (int i = 0; i < 3000; i++) sum = sum * 3 + random();
  printf("%ld\n", sum);
}
