/* Rotations as idioms that compilers recognise, by constants and variables. */
#include <stdint.h>
#include <stdio.h>

static uint8_t rol8(uint8_t x, unsigned n) { return (uint8_t)(x << (n & 7) | x >> (-n & 7)); }
static uint16_t ror16(uint16_t x, unsigned n) { return (uint16_t)(x >> (n & 15) | x << (-n & 15)); }
static uint32_t rol32(uint32_t x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }
static uint64_t ror64(uint64_t x, unsigned n) { return x >> (n & 63) | x << (-n & 63); }

int main(void) {
  volatile uint64_t start = 0x0123456789abcdef;
  uint64_t q = start;
  uint32_t d = (uint32_t)start;
  uint16_t w = (uint16_t)start;
  uint8_t b = (uint8_t)start;
  for (volatile unsigned n = 0; n < 40; n++) {
    b = rol8(b, n) + 1;
    w = ror16(w, n) ^ b;
    d = rol32(d, n) + w;
    q = ror64(q, n * 3) + rol32(d, 5) + ror64(q, 17) + rol8(b, 3) + ror16(w, 9);
    printf("%02x %04x %08x %016llx\n", b, w, d, (unsigned long long)q);
  }
}
