/* malloc, calloc, realloc, aligned allocation: sizes, contents, reuse and alignment, no addresses. */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  static unsigned char *live[300];
  static size_t sizes[300];
  uint32_t s = 9;
  unsigned long wrong = 0, sum = 0;
  for (int i = 0; i < 6000; i++) {
    s = s * 1664525 + 1013904223;
    int k = (int)(s >> 8) % 300;
    if (live[k]) {
      for (size_t j = 0; j < sizes[k]; j += 17) wrong += live[k][j] != (unsigned char)(k + (int)j);
      if (s & 0x10000) { free(live[k]); live[k] = NULL; continue; }
      size_t size = (s >> 4) % 3000 + 1, kept = size < sizes[k] ? size : sizes[k];
      live[k] = realloc(live[k], size);
      for (size_t j = 0; j < kept; j += 17) wrong += live[k][j] != (unsigned char)(k + (int)j);
      sizes[k] = size;
    } else {
      sizes[k] = (s >> 12) % (i % 100 == 0 ? 300000 : 700) + 1;
      live[k] = i % 3 ? malloc(sizes[k]) : calloc(1, sizes[k]);
      if (i % 3 == 0) for (size_t j = 0; j < sizes[k]; j++) wrong += live[k][j] != 0;
    }
    for (size_t j = 0; j < sizes[k]; j++) live[k][j] = (unsigned char)(k + (int)j);
    sum += sizes[k];
  }
  printf("%lu %lu\n", wrong, sum);
  for (size_t align = 16; align <= 65536; align *= 4) {
    void *p = NULL, *q = aligned_alloc(align, align * 2);
    int r = posix_memalign(&p, align, 100);
    printf("%zu %d %d %d\n", align, r, (int)((uintptr_t)p % align), (int)((uintptr_t)q % align));
    free(p), free(q);
  }
  char *big = malloc(50 << 20);
  big[0] = big[(50 << 20) - 1] = 7;
  printf("%d %d %d\n", big[0] + big[(50 << 20) - 1], malloc(PTRDIFF_MAX) == NULL, malloc_usable_size(big) >= 50 << 20);
  free(big);
  void *array = reallocarray(NULL, SIZE_MAX / 2, 4);
  printf("%d\n", array == NULL);
}
