/* Partial registers: bytes high and low, words, mixed in loops that depend on what is kept. */
#include <stdint.h>
#include <stdio.h>

typedef union { uint64_t q; uint32_t d[2]; uint16_t w[4]; uint8_t b[8]; } Word;

int main(void) {
  Word x = {0x1122334455667788};
  volatile uint8_t k = 3;
  uint64_t hash = 0;
  for (int i = 0; i < 3000; i++) {
    x.b[1] += x.b[0] * k;
    x.w[1] ^= (uint16_t)(x.b[7] << 3 | x.b[1]);
    x.d[1] = x.d[1] * 5 + x.w[0];
    x.b[0] = (uint8_t)(x.b[1] >> 1 | x.b[2] << 7);
    x.q += (uint64_t)(int64_t)(int8_t)x.b[3] + (uint16_t)x.w[2];
    if ((int8_t)x.b[0] < (int8_t)x.b[1]) x.b[5]--;
    if (x.w[3] > x.w[0]) x.w[3] = (uint16_t)-x.w[3];
    hash = hash * 31 + x.q;
  }
  printf("%016llx %016llx\n", (unsigned long long)x.q, (unsigned long long)hash);
}
