/* corpus: -latomic not:musl,clang-O0,clang-O2,static */
/* Structures of 16 bytes as atomics, by libatomic. */
#include <stdatomic.h>
#include <stdio.h>

typedef struct { long a, b; } Pair;
static _Atomic Pair shared;

int main(void) {
  Pair seen = atomic_load(&shared), next;
  for (int i = 0; i < 20; i++) do next = (Pair){seen.a + i, seen.b ^ seen.a}; while (!atomic_compare_exchange_weak(&shared, &seen, next));
  Pair last = {1, 2};
  seen = atomic_exchange(&shared, last);
  printf("%ld %ld\n", seen.a, seen.b);
}
