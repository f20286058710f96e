/* Checksums of several kinds over the same bytes. */
#include <stdint.h>
#include <stdio.h>

static uint32_t table[256];

static uint32_t crc32(const uint8_t *p, int n) {
  uint32_t c = ~0u;
  while (n--) c = table[(c ^ *p++) & 255] ^ c >> 8;
  return ~c;
}
static uint16_t crc16(const uint8_t *p, int n) {
  uint16_t c = 0xffff;
  for (; n--; p++) {
    c ^= (uint16_t)(*p << 8);
    for (int i = 0; i < 8; i++) c = (uint16_t)(c & 0x8000 ? c << 1 ^ 0x1021 : c << 1);
  }
  return c;
}
static uint32_t adler(const uint8_t *p, int n) {
  uint32_t a = 1, b = 0;
  while (n--) a = (a + *p++) % 65521, b = (b + a) % 65521;
  return b << 16 | a;
}
static uint64_t fnv(const uint8_t *p, int n) {
  uint64_t h = 14695981039346656037u;
  while (n--) h = (h ^ *p++) * 1099511628211u;
  return h;
}

int main(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ c >> 1 : c >> 1;
    table[i] = c;
  }
  static uint8_t data[5000];
  for (int i = 0; i < 5000; i++) data[i] = (uint8_t)(i * i / 7 + i);
  for (int n = 0; n <= 5000; n = n * 3 + 1)
    printf("%d %08x %04x %08x %016llx\n", n, crc32(data, n), crc16(data, n), adler(data, n), (unsigned long long)fnv(data, n));
}
