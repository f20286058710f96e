/* Shifts of every width by variable amounts, arithmetic and logical, and by the width less one. */
#include <stdint.h>
#include <stdio.h>

int main(void) {
  volatile uint64_t seed = 0x9e3779b97f4a7c15;
  uint64_t x = seed, sum = 0;
  for (volatile unsigned n = 0; n < 64; n++) {
    uint8_t b = (uint8_t)x;
    uint16_t w = (uint16_t)x;
    uint32_t d = (uint32_t)x;
    b = (uint8_t)(b << (n & 7)) ^ (uint8_t)(b >> (n & 7));
    w = (uint16_t)(w << (n & 15)) ^ (uint16_t)((int16_t)w >> (n & 15));
    d = (d << (n & 31)) ^ (uint32_t)((int32_t)d >> (n & 31)) ^ (d >> (31 - (n & 31)));
    uint64_t q = (x << n) ^ (uint64_t)((int64_t)x >> n) ^ (x >> (63 - n));
    sum = sum * 31 + b + w + d + q;
    x = x * 6364136223846793005u + 1442695040888963407u;
    if (n % 8 == 0) printf("%u %02x %04x %08x %016llx\n", n, b, w, d, (unsigned long long)q);
  }
  printf("%016llx\n", (unsigned long long)sum);
}
