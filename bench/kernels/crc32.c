/* CRC-32 by a table of 256 words: one chain through a load for each byte. */
#include "kernel.h"

#define LENGTH 16384

static uint32_t table[256];

static KEEP uint32_t crc32(uint32_t crc, const uint8_t *bytes, int length) {
  for (int i = 0; i < length; i++) crc = table[(crc ^ bytes[i]) & 255] ^ (crc >> 8);
  return crc;
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 100);
  static uint8_t bytes[LENGTH];
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; bit++) value = (value >> 1) ^ ((value & 1) * 0xedb88320u);
    table[i] = value;
  }
  for (int i = 0; i < LENGTH; i++) bytes[i] = (uint8_t)(random32() >> 24);
  uint32_t crc = 0xffffffffu;
  for (uint64_t r = 0; r < repetitions; r++) crc = crc32(crc, bytes, LENGTH);
  return checksum(crc);
}
