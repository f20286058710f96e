/* Half and bfloat16 by hand, and the order of floats as integers. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint16_t half(float f) {
  uint32_t x;
  memcpy(&x, &f, 4);
  uint32_t sign = x >> 16 & 0x8000, e = x >> 23 & 255, m = x & 0x7fffff;
  if (e == 255) return (uint16_t)(sign | 0x7c00 | (m ? 0x200 : 0));
  int k = (int)e - 112;
  if (k >= 31) return (uint16_t)(sign | 0x7c00);
  if (k <= 0) {
    if (k < -10) return (uint16_t)sign;
    m |= 0x800000;
    uint32_t shift = (uint32_t)(14 - k), r = m >> shift, rest = m & ((1u << shift) - 1), mid = 1u << (shift - 1);
    return (uint16_t)(sign | (r + (rest > mid || (rest == mid && (r & 1)))));
  }
  uint32_t r = (uint32_t)k << 10 | m >> 13, rest = m & 0x1fff;
  return (uint16_t)(sign | (r + (rest > 0x1000 || (rest == 0x1000 && (r & 1)))));
}
static float wide(uint16_t h) {
  int e = h >> 10 & 31;
  float m = (float)(h & 1023);
  float v = e == 31 ? (m ? 0.f : 1e38f * 10) : e == 0 ? m * 0x1p-24f : (m + 1024) * (e > 25 ? (float)(1 << (e - 25)) : 1.f / (float)(1 << (25 - e)));
  return h & 0x8000 ? -v : v;
}
static int32_t order(float f) {
  int32_t x;
  memcpy(&x, &f, 4);
  return x < 0 ? INT32_MIN - x : x;
}

int main(void) {
  float f = 1e-9f;
  for (int i = 0; i < 40; i++, f *= -2.9f) printf("%a %04x %a %d\n", f, half(f), wide(half(f)), order(f) > order(f / 2));
}
