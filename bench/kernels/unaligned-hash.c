/* A hash over unaligned 8-byte words of short keys at every offset, as hash tables of strings do it. */
#include "kernel.h"

#include <string.h>

#define LENGTH 8192
#define KEY 37

static KEEP uint64_t hash(const uint8_t *bytes, int length) {
  uint64_t value = 0x9e3779b97f4a7c15u ^ (uint64_t)length, word;
  int i = 0;
  for (; i + 8 <= length; i += 8) {
    memcpy(&word, bytes + i, 8);
    value = (value ^ word) * 0xff51afd7ed558ccdu;
    value ^= value >> 32;
  }
  for (; i < length; i++) value = (value ^ bytes[i]) * 0x100000001b3u;
  return value;
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 100);
  static uint8_t bytes[LENGTH + KEY];
  for (int i = 0; i < LENGTH + KEY; i++) bytes[i] = (uint8_t)(random32() >> 24);
  uint64_t sum = 0;
  for (uint64_t r = 0; r < repetitions; r++) {
    bytes[r % LENGTH]++;
    for (int i = 0; i < LENGTH; i++) sum += hash(bytes + i, KEY - (i & 7));
  }
  return checksum(sum);
}
