/* Loads and stores of all sizes at all offsets, forwarded, overlapping, across pages. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  uint8_t *p = aligned_alloc(4096, 16384);
  for (int i = 0; i < 16384; i++) p[i] = (uint8_t)(i * 7);
  uint64_t sum = 0;
  for (int at = 4096 - 16; at < 4096 + 8; at++) {
    uint64_t q; uint32_t d; uint16_t w;
    memcpy(&q, p + at, 8), memcpy(&d, p + at + 3, 4), memcpy(&w, p + at + 5, 2);
    sum = sum * 31 + q + d + w;
    q = ~q, memcpy(p + at + 1, &q, 8);
    memcpy(&d, p + at + 4, 4), sum ^= d;
    p[at + 6] = (uint8_t)sum;
    memcpy(&q, p + at, 8), sum += q;
    __int128 x;
    memcpy(&x, p + at, 16);
    x = x * 3 + 1;
    memcpy(p + at + 8192, &x, 16);
    memmove(p + at + 2, p + at, 13);
  }
  for (int i = 0; i < 16384; i++) sum = sum * 31 + p[i];
  free(p);
  printf("%016llx\n", (unsigned long long)sum);
}
