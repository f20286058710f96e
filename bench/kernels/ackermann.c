/* Ackermann's function: recursion that goes deep (about 1,000 frames for m = 3, n = 7). */
#include "kernel.h"

static KEEP uint64_t ackermann(uint64_t m, uint64_t n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 10);
  uint64_t sum = 0;
  for (uint64_t r = 0; r < repetitions; r++) sum += ackermann(3, 6 + (r & 1));
  return checksum(sum);
}
