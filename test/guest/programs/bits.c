/* Bit tricks: population counts, leading and trailing zeros, rotations, byte swaps, bit tests, reversal, Gray code. */
#include <stdint.h>
#include <stdio.h>

static uint64_t reverse(uint64_t x) {
  x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
  x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
  return __builtin_bswap64(x);
}

static uint32_t rotate(uint32_t x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }

int main(void) {
  uint64_t x = 0x9e3779b97f4a7c15u;
  uint32_t set[8] = {0};
  for (unsigned i = 0; i < 100; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    uint32_t low = (uint32_t)x;
    set[(low >> 5) & 7] |= 1u << (low & 31);
    set[(low >> 13) & 7] ^= 1u << (low >> 8 & 31);
    if (i % 10 != 0) continue;
    printf("%d %d %d %d ", __builtin_popcountll(x), __builtin_clzll(x | 1), __builtin_ctzll(x | 1ull << 63), __builtin_parityll(x));
    printf("%d %d %08x %04x ", __builtin_clz(low | 1), __builtin_ffs((int)low), __builtin_bswap32(low), __builtin_bswap16((uint16_t)low));
    printf("%016llx %08x %016llx\n", (unsigned long long)reverse(x), rotate(low, i), (unsigned long long)(x ^ x >> 1));
  }
  unsigned members = 0;
  for (unsigned i = 0; i < 256; i++) members += set[i >> 5] >> (i & 31) & 1;
  printf("%u members\n", members);
  return (int)members & 127;
}
