/* Generators: linear feedback, xorshift, PCG, Mersenne twister, with their statistics. */
#include <stdint.h>
#include <stdio.h>

static uint32_t mt[624];
static int at = 624;
static uint32_t twist(void) {
  if (at == 624) {
    for (int i = 0; i < 624; i++) {
      uint32_t y = (mt[i] & 0x80000000) | (mt[(i + 1) % 624] & 0x7fffffff);
      mt[i] = mt[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0df : 0);
    }
    at = 0;
  }
  uint32_t y = mt[at++];
  y ^= y >> 11, y ^= y << 7 & 0x9d2c5680, y ^= y << 15 & 0xefc60000;
  return y ^ y >> 18;
}

int main(void) {
  uint16_t l = 0xace1;
  unsigned period = 0;
  do l = (uint16_t)(l >> 1 ^ (-(l & 1) & 0xb400)), period++; while (l != 0xace1);
  uint64_t x = 1, state = 42, sum = 0;
  for (int i = 0; i < 5000; i++) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    uint64_t old = state;
    state = old * 6364136223846793005u + 1442695040888963407u;
    uint32_t v = (uint32_t)((old >> 18 ^ old) >> 27), r = (uint32_t)(old >> 59);
    sum += x ^ (v >> r | v << (-r & 31));
  }
  mt[0] = 5489;
  for (uint32_t i = 1; i < 624; i++) mt[i] = 1812433253 * (mt[i - 1] ^ mt[i - 1] >> 30) + i;
  int ones = 0, buckets[16] = {0};
  for (int i = 0; i < 9999; i++) { uint32_t v = twist(); ones += __builtin_popcount(v), buckets[v >> 28]++; }
  printf("%u %016llx %u %d %d\n", period, (unsigned long long)sum, twist(), ones, buckets[7]);
}
