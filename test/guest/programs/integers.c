/* Arithmetic of every width and sign: wrapping, division, remainders, shifts, mixed comparisons. */
#include <stdint.h>
#include <stdio.h>

static uint64_t state = 88172645463325252u;
static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

int main(void) {
  uint64_t digest = 0;
  for (int i = 0; i < 200; i++) {
    uint64_t a = next(), b = next() >> (i & 63);
    int64_t sa = (int64_t)a, sb = (int64_t)b;
    uint32_t c = (uint32_t)a, d = (uint32_t)b | 1;
    int32_t sc = (int32_t)c, sd = (int32_t)(d >> 1) | 1;
    uint16_t e = (uint16_t)a, f = (uint16_t)b | 1;
    int16_t se = (int16_t)e, sf = (int16_t)(f >> 1) | 1;
    uint8_t g = (uint8_t)a, h = (uint8_t)b | 1;
    int8_t sg = (int8_t)g, sh = (int8_t)(h >> 1) | 1;
    digest = digest * 31 + (a + b) + (a - b) + a * b + a / (b | 1) + a % (b | 1);
    digest = digest * 31 + (uint64_t)(sa / (sb == -1 ? 2 : sb | 1)) + (uint64_t)(sa >> (i & 63)) + (a >> (i & 63)) + (a << (i & 63));
    digest = digest * 31 + (c + d) + c * d + c / d + c % d + (uint32_t)(sc / sd) + (uint32_t)(sc % sd) + (uint32_t)(sc >> (i & 31));
    digest = digest * 31 + (uint16_t)(e * f) + e / f + (uint16_t)(se / sf) + (uint16_t)(se % sf) + (uint16_t)(e << (i & 15));
    digest = digest * 31 + (uint8_t)(g * h) + g / h + (uint8_t)(sg / sh) + (uint8_t)(sg % sh) + (uint8_t)(sg >> (i & 7));
    digest = digest * 31 + (sa < sb) + 2 * (a < b) + 4 * (sc < sd) + 8 * (c < d) + 16 * (se < sf) + 32 * (sg <= sh) + 64 * (a == b);
    if (i % 20 == 0) printf("%016llx\n", (unsigned long long)digest);
  }
  return (int)(digest & 63);
}
