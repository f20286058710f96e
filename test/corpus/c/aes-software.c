/* AES-128 by tables computed at start, a known vector, and ChaCha20's block. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint8_t sbox[256];
static uint8_t xtime(uint8_t x) { return (uint8_t)(x << 1 ^ (x >> 7) * 0x1b); }
static uint8_t mul(uint8_t a, uint8_t b) { uint8_t r = 0; for (; b; b >>= 1, a = xtime(a)) if (b & 1) r ^= a; return r; }
static void encrypt(uint8_t s[16], const uint8_t key[16]) {
  uint8_t k[176], t[16], rcon = 1;
  memcpy(k, key, 16);
  for (int i = 16; i < 176; i += 4) {
    uint8_t w[4];
    memcpy(w, k + i - 4, 4);
    if (i % 16 == 0) { uint8_t x = w[0]; w[0] = sbox[w[1]] ^ rcon; w[1] = sbox[w[2]]; w[2] = sbox[w[3]]; w[3] = sbox[x]; rcon = xtime(rcon); }
    for (int j = 0; j < 4; j++) k[i + j] = k[i + j - 16] ^ w[j];
  }
  for (int i = 0; i < 16; i++) s[i] ^= k[i];
  for (int round = 1; round <= 10; round++) {
    for (int c = 0; c < 4; c++) for (int r = 0; r < 4; r++) t[c * 4 + r] = sbox[s[(c + r) % 4 * 4 + r]];
    for (int c = 0; c < 4; c++) {
      uint8_t *x = t + c * 4, all = x[0] ^ x[1] ^ x[2] ^ x[3];
      for (int r = 0; r < 4; r++) s[c * 4 + r] = (uint8_t)((round < 10 ? x[r] ^ all ^ xtime(x[r] ^ x[(r + 1) % 4]) : x[r]) ^ k[round * 16 + c * 4 + r]);
    }
  }
}
#define ROL(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define QR(a, b, c, d) a += b, d = ROL(d ^ a, 16), c += d, b = ROL(b ^ c, 12), a += b, d = ROL(d ^ a, 8), c += d, b = ROL(b ^ c, 7)

int main(void) {
  for (int i = 0; i < 256; i++) {
    uint8_t inverse = 0;
    for (int j = 1; i && j < 256 && !inverse; j++) if (mul((uint8_t)i, (uint8_t)j) == 1) inverse = (uint8_t)j;
    uint8_t s = inverse;
    for (int k = 1; k < 5; k++) s ^= (uint8_t)(inverse << k | inverse >> (8 - k));
    sbox[i] = s ^ 0x63;
  }
  uint8_t key[16], block[16];
  for (int i = 0; i < 16; i++) key[i] = (uint8_t)i, block[i] = (uint8_t)(i * 17);
  for (int n = 0; n < 20; n++) {
    encrypt(block, key);
    if (n % 19 == 0) { for (int i = 0; i < 16; i++) printf("%02x", block[i]); puts(""); }
  }
  uint32_t in[16], x[16];
  for (int i = 0; i < 16; i++) x[i] = in[i] = (uint32_t)i * 0x01010101 + 7;
  for (int i = 0; i < 10; i++) {
    QR(x[0], x[4], x[8], x[12]); QR(x[1], x[5], x[9], x[13]); QR(x[2], x[6], x[10], x[14]); QR(x[3], x[7], x[11], x[15]);
    QR(x[0], x[5], x[10], x[15]); QR(x[1], x[6], x[11], x[12]); QR(x[2], x[7], x[8], x[13]); QR(x[3], x[4], x[9], x[14]);
  }
  for (int i = 0; i < 16; i++) printf("%08x", x[i] + in[i]);
  puts("");
}
