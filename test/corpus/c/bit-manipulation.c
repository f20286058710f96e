/* Morton codes, Gray codes, De Bruijn sequences, Hamming codes, permutations of bits, Fenwick trees. */
#include <stdint.h>
#include <stdio.h>

static uint64_t spread(uint32_t v) {
  uint64_t x = v;
  x = (x | x << 16) & 0x0000ffff0000ffff, x = (x | x << 8) & 0x00ff00ff00ff00ff, x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  return x = (x | x << 2) & 0x3333333333333333, (x | x << 1) & 0x5555555555555555;
}
static unsigned gray(unsigned n) { return n ^ n >> 1; }
static unsigned ungray(unsigned g) { for (unsigned s = 1; s < 32; s *= 2) g ^= g >> s; return g; }
static unsigned hamming(unsigned d) { unsigned p = 0; static const unsigned masks[] = {0x5b, 0x6d, 0x8e, 0xf0}; for (int i = 0; i < 4; i++) p |= (unsigned)__builtin_parity(d & masks[i]) << i; return d << 4 | p; }
static uint32_t next_permutation(uint32_t v) { uint32_t t = v | (v - 1); return (t + 1) | (((~t & -~t) - 1) >> (__builtin_ctz(v) + 1)); }

int main(void) {
  uint64_t sum = 0;
  unsigned wrong = 0;
  for (uint32_t i = 0; i < 2000; i++) sum = sum * 31 + (spread(i * 77777) | spread(i * 99991) << 1), wrong += ungray(gray(i * 4099)) != i * 4099, sum ^= hamming(i & 255);
  uint32_t v = 0x1f, steps = 0;
  while (v < 0x8000) v = next_permutation(v), steps++;
  static int tree[1025];
  for (int i = 1; i <= 1024; i++) for (int k = i; k <= 1024; k += k & -k) tree[k] += i * 7 % 13;
  int prefix = 0;
  for (int k = 777; k; k -= k & -k) prefix += tree[k];
  printf("%016llx %u %u %x %d\n", (unsigned long long)sum, wrong, steps, v, prefix);
}
