/* Saturating and averaging arithmetic written out, as codecs have it. */
#include <stdint.h>
#include <stdio.h>

static uint8_t clip(int x) { return x < 0 ? 0 : x > 255 ? 255 : (uint8_t)x; }
static int16_t adds(int16_t a, int16_t b) {
  int s = a + b;
  return (int16_t)(s > 32767 ? 32767 : s < -32768 ? -32768 : s);
}
static uint32_t addus(uint32_t a, uint32_t b) { return a + b < a ? UINT32_MAX : a + b; }

int main(void) {
  uint8_t bytes[512], other[512];
  int16_t words[512];
  uint32_t state = 1, sum = 0;
  for (int i = 0; i < 512; i++) {
    state = state * 1103515245 + 12345;
    bytes[i] = (uint8_t)(state >> 16);
    other[i] = (uint8_t)(state >> 24);
    words[i] = (int16_t)(state >> 8);
  }
  for (int i = 0; i < 512; i++) bytes[i] = clip(bytes[i] + other[i] - 64);
  for (int i = 0; i < 512; i++) other[i] = (uint8_t)((bytes[i] + other[i] + 1) >> 1);
  for (int i = 0; i < 511; i++) words[i] = adds(words[i], words[i + 1]);
  for (int i = 0; i < 512; i++) sum = addus(sum, (uint32_t)words[i] * bytes[i] + other[i]) ^ (sum >> 3);
  unsigned sad = 0;
  for (int i = 0; i < 512; i++) sad += bytes[i] > other[i] ? bytes[i] - other[i] : other[i] - bytes[i];
  printf("%u %u %d %d\n", sum, sad, words[100], bytes[77]);
  for (int i = 0; i < 512; i += 37) printf("%d %d %d\n", bytes[i], other[i], words[i]);
}
