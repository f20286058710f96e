/* snprintf of strings, integers and floating-point numbers. */
#include "kernel.h"

static KEEP int format(char *to, size_t size, uint32_t number) {
  return snprintf(to, size, "%s-%05u %-8x|%8.3f %lld %c", number & 1 ? "odd" : "even", number % 100000, number >> 7,
                  number * 0.001, (long long)number * 1000003, 'a' + (int)(number % 26));
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 10);
  char line[128];
  uint64_t sum = 0;
  for (uint64_t r = 0; r < repetitions * 1000; r++) {
    int length = format(line, sizeof line, random32());
    for (int i = 0; i < length; i++) sum = sum * 31 + (unsigned char)line[i];
  }
  return checksum(sum);
}
