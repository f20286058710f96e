/* High halves of products, and widening multiplications of signed by unsigned. */
#include <stdint.h>
#include <stdio.h>

static uint64_t umulh(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b >> 64); }
static int64_t smulh(int64_t a, int64_t b) { return (int64_t)((__int128)a * b >> 64); }

int main(void) {
  volatile uint64_t seed = 88172645463325252u;
  uint64_t x = seed, fold = 0;
  for (int i = 0; i < 200; i++) {
    x ^= x << 13; x ^= x >> 7; x ^= x << 17;
    uint64_t y = x * 0x2545f4914f6cdd1d;
    fold ^= umulh(x, y) + (uint64_t)smulh((int64_t)x, (int64_t)y);
    fold += (uint64_t)((int64_t)(int32_t)x * (int64_t)(int32_t)y) + (uint64_t)(uint32_t)x * (uint32_t)y;
    fold ^= (uint32_t)((int64_t)(int32_t)x * (int32_t)y >> 32) + (uint16_t)((int16_t)x * (int16_t)y >> 16);
    fold = fold << 1 | fold >> 63;
    if (i % 20 == 0) printf("%016llx %lld\n", (unsigned long long)fold, (long long)smulh((int64_t)x, (int64_t)fold));
  }
}
