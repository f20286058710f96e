/* 64 MB of memory, touched sparsely: static, allocated, and given back. */
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 32 << 20, STEP = 65537 };
static unsigned char fixed[SIZE];

int main(void) {
  unsigned char *heap = malloc(SIZE);
  if (heap == NULL) return 1;
  for (int i = 0; i < SIZE; i += STEP) {
    fixed[i] = (unsigned char)(i >> 8);
    heap[SIZE - 1 - i] = (unsigned char)(i >> 16);
  }
  unsigned digest = 0;
  for (int i = 0; i < SIZE; i += STEP) digest = digest * 31 + fixed[i] + heap[SIZE - 1 - i] + fixed[i ^ 1];
  free(heap);
  printf("%u\n", digest);
  return 0;
}
