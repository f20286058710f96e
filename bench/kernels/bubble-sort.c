/* Bubble sort: compare and swap neighbours, with branches that depend on the data. */
#include "kernel.h"

#define LENGTH 512

static KEEP void bubble_sort(int32_t *values, int length) {
  for (int end = length - 1; end > 0; end--)
    for (int i = 0; i < end; i++)
      if (values[i] > values[i + 1]) {
        int32_t swapped = values[i];
        values[i] = values[i + 1];
        values[i + 1] = swapped;
      }
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 100);
  static int32_t values[LENGTH];
  uint64_t sum = 0;
  for (uint64_t r = 0; r < repetitions; r++) {
    for (int i = 0; i < LENGTH; i++) values[i] = (int32_t)random32();
    bubble_sort(values, LENGTH);
    for (int i = 0; i < LENGTH; i += 37) sum = sum * 31 + (uint32_t)values[i];
  }
  return checksum(sum);
}
