/* Counts of byte values: a store to an address that the next load may read. */
#include "kernel.h"

#define LENGTH 65536

static KEEP void count(const uint8_t *bytes, int length, uint32_t *counts) {
  for (int i = 0; i < length; i++) counts[bytes[i]]++;
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 100);
  static uint8_t bytes[LENGTH];
  static uint32_t counts[256];
  for (int i = 0; i < LENGTH; i++) bytes[i] = (uint8_t)((random32() & random32()) >> 24);
  for (uint64_t r = 0; r < repetitions; r++) {
    bytes[r % LENGTH] ^= 1;
    count(bytes, LENGTH, counts);
  }
  uint64_t sum = 0;
  for (int i = 0; i < 256; i++) sum = sum * 31 + counts[i];
  return checksum(sum);
}
