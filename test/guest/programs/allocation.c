/* malloc, calloc, realloc, free and aligned blocks: many sizes, an order that splits and joins, growth of a vector. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  enum { N = 64 };
  unsigned char *blocks[N] = {0};
  size_t sizes[N] = {0};
  unsigned x = 12345, digest = 0;
  for (int i = 0; i < 600; i++) {
    x = x * 1103515245 + 12345;
    unsigned at = x >> 16 & (N - 1), size = (x >> 8 & 1023) + 1;
    if (i % 97 == 0) size = 200000;
    if (blocks[at] == NULL) {
      blocks[at] = i % 3 == 0 ? calloc(size, 1) : malloc(size);
      if (i % 3 != 0) blocks[at][size - 1] = (unsigned char)i;
      sizes[at] = size;
    } else if (i % 5 == 0) {
      blocks[at] = realloc(blocks[at], size);
      blocks[at][size - 1] = (unsigned char)i;
      sizes[at] = size;
    } else {
      digest = digest * 31 + blocks[at][sizes[at] - 1];
      free(blocks[at]);
      blocks[at] = NULL;
    }
  }
  for (int i = 0; i < N; i++) free(blocks[i]);
  int *vector = NULL, capacity = 0;
  for (int i = 0; i < 3000; i++) {
    if (i == capacity) vector = realloc(vector, (size_t)(capacity = capacity * 2 + 4) * sizeof *vector);
    vector[i] = i * i;
  }
  long sum = 0;
  for (int i = 0; i < 3000; i++) sum += vector[i];
  free(vector);
  void *aligned = aligned_alloc(256, 1024);
  printf("%u %ld %d\n", digest, sum, (uintptr_t)aligned % 256 == 0);
  free(aligned);
  return 0;
}
