/* Counting bits, leading and trailing zeros, parity, byte swaps, by builtins and by hand. */
#include <stdint.h>
#include <stdio.h>

static uint32_t reverse(uint32_t x) {
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(x);
}

int main(void) {
  uint64_t x = 1;
  volatile uint64_t step = 0xbf58476d1ce4e5b9;
  for (int i = 0; i < 50; i++, x = x * step + (uint64_t)i) {
    uint32_t d = (uint32_t)(x >> 20) | 1;
    uint64_t q = x | 0x10;
    printf("%d %d %d %d %d %d %d %d %d %d %x %x %llx %x\n", __builtin_popcount(d), __builtin_popcountll(q),
           __builtin_clz(d), __builtin_clzll(q), __builtin_ctz(d << 3 | 8), __builtin_ctzll(q), __builtin_ffs((int)(d - 1)),
           __builtin_ffsll((long long)(q & -q)), __builtin_parity(d), __builtin_parityll(q), __builtin_bswap16((uint16_t)d),
           __builtin_bswap32(d), (unsigned long long)__builtin_bswap64(q), reverse(d));
    printf("%d %d\n", __builtin_clrsb((int)d), __builtin_clrsbll((long long)q));
  }
}
