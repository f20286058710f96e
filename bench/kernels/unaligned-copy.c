/* Moves of 4 and 8 bytes at odd addresses, most of them across an aligned word, some across a cache line. */
#include "kernel.h"

#include <string.h>

#define LENGTH 16384

static KEEP void copy8(uint8_t *to, const uint8_t *from, int length) {
  for (int i = 0; i + 8 <= length; i += 8) {
    uint64_t word;
    memcpy(&word, from + i, 8);
    word ^= 0x0101010101010101u;
    memcpy(to + i, &word, 8);
  }
}

static KEEP void copy4(uint8_t *to, const uint8_t *from, int length) {
  for (int i = 0; i + 4 <= length; i += 4) {
    uint32_t word;
    memcpy(&word, from + i, 4);
    word += (uint32_t)i;
    memcpy(to + i, &word, 4);
  }
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 1000);
  static uint8_t a[LENGTH + 16], b[LENGTH + 16];
  for (int i = 0; i < LENGTH; i++) a[i] = (uint8_t)(random32() >> 24);
  for (uint64_t r = 0; r < repetitions; r++) {
    copy8(b + 1 + (r & 6), a + 3, LENGTH - 8);
    copy4(a + 5, b + 3 + (r & 2), LENGTH - 8);
  }
  uint64_t sum = 0;
  for (int i = 0; i < LENGTH; i++) sum = sum * 31 + a[i] + b[i];
  return checksum(sum);
}
