/* Sums and products of long double, which gcc does on the x87 stack. */
#include "kernel.h"

#define LENGTH 1024

static KEEP long double evaluate(const long double *values, int length) {
  long double sum = 0, product = 1;
  for (int i = 0; i < length; i++) {
    sum += values[i] * product;
    product = product * 0.999L + 0.0005L;
  }
  return sum;
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 100);
  static long double values[LENGTH];
  for (int i = 0; i < LENGTH; i++) values[i] = random32() * 0x1p-32L;
  long double total = 0;
  for (uint64_t r = 0; r < repetitions; r++) {
    values[r % LENGTH] *= -1;
    total += evaluate(values, LENGTH);
  }
  return checksum_double((double)total);
}
