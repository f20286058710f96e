/* Base64, hexadecimal, run lengths, UTF-8 and a Caesar cipher, there and back. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static size_t encode(const uint8_t *in, size_t n, char *out) {
  char *start = out;
  for (size_t i = 0; i < n; i += 3) {
    uint32_t v = (uint32_t)in[i] << 16 | (i + 1 < n ? (uint32_t)in[i + 1] << 8 : 0) | (i + 2 < n ? in[i + 2] : 0);
    *out++ = DIGITS[v >> 18];
    *out++ = DIGITS[v >> 12 & 63];
    *out++ = i + 1 < n ? DIGITS[v >> 6 & 63] : '=';
    *out++ = i + 2 < n ? DIGITS[v & 63] : '=';
  }
  *out = 0;
  return (size_t)(out - start);
}

static size_t decode(const char *in, uint8_t *out) {
  uint8_t *start = out;
  for (; *in != 0; in += 4) {
    uint32_t v = 0;
    int pad = 0;
    for (int k = 0; k < 4; k++) {
      const char *digit = strchr(DIGITS, in[k]);
      pad += in[k] == '=';
      v = v << 6 | (in[k] == '=' ? 0 : (uint32_t)(digit - DIGITS));
    }
    *out++ = (uint8_t)(v >> 16);
    if (pad < 2) *out++ = (uint8_t)(v >> 8);
    if (pad < 1) *out++ = (uint8_t)v;
  }
  return (size_t)(out - start);
}

int main(void) {
  const char *text = "Instruction-level parallelism: what a program has, before any machine takes it away.";
  char coded[200];
  uint8_t back[200];
  for (size_t n = 0; n < strlen(text); n += 13) {
    size_t length = encode((const uint8_t *)text, n, coded);
    size_t again = decode(coded, back);
    printf("%zu %zu %d %s\n", length, again, memcmp(text, back, n), coded);
  }
  uint32_t points[] = {0x24, 0xa2, 0x20ac, 0x10348};
  for (int i = 0; i < 4; i++) {
    uint32_t c = points[i];
    uint8_t b[4];
    int n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (int k = n - 1; k > 0; k--, c >>= 6) b[k] = (uint8_t)(0x80 | (c & 63));
    b[0] = n == 1 ? (uint8_t)c : (uint8_t)(0xf00 >> n | c);
    for (int k = 0; k < n; k++) printf("%02x", b[k]);
    putchar(' ');
  }
  char runs[] = "aaaabbbccd", packed[30], *p = packed;
  for (char *r = runs; *r != 0;) {
    int n = 1;
    while (r[n] == *r) n++;
    p += sprintf(p, "%d%c", n, *r);
    r += n;
  }
  for (char *r = runs; *r != 0; r++) *r = (char)('a' + (*r - 'a' + 13) % 26);
  printf("%s %s\n", packed, runs);
  return 0;
}
