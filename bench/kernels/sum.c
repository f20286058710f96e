/* One floating-point accumulator: a chain as long as the array, that the compiler must not reorder. */
#include "kernel.h"

#define LENGTH 4096

static KEEP double sum(const double *values, int length) {
  double total = 0;
  for (int i = 0; i < length; i++) total += values[i];
  return total;
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 10000);
  static double values[LENGTH];
  for (int i = 0; i < LENGTH; i++) values[i] = random32() * 0x1p-32;
  double total = 0;
  for (uint64_t r = 0; r < repetitions; r++) {
    values[r % LENGTH] += 0x1p-10;
    total += sum(values, LENGTH);
  }
  return checksum_double(total);
}
