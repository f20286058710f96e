/* A recursive quick sort of its own (Hoare's partition, insertion sort of short ranges). */
#include "kernel.h"

#define LENGTH 65536

static KEEP void quick_sort(int32_t *first, int32_t *last) {
  while (last - first > 12) {
    int32_t pivot = first[(last - first) / 2];
    int32_t *low = first, *high = last;
    for (;;) {
      while (*low < pivot) low++;
      while (*high > pivot) high--;
      if (low > high) break;
      int32_t swapped = *low;
      *low++ = *high;
      *high-- = swapped;
      if (low > high) break;
    }
    quick_sort(first, high);
    first = low;
  }
  for (int32_t *i = first + 1; i <= last; i++) {
    int32_t value = *i, *hole = i;
    for (; hole > first && hole[-1] > value; hole--) *hole = hole[-1];
    *hole = value;
  }
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 10);
  static int32_t values[LENGTH];
  uint64_t sum = 0;
  for (uint64_t r = 0; r < repetitions; r++) {
    for (int i = 0; i < LENGTH; i++) values[i] = (int32_t)random32();
    quick_sort(values, values + LENGTH - 1);
    for (int i = 0; i < LENGTH; i += 997) sum = sum * 31 + (uint32_t)values[i];
  }
  return checksum(sum);
}
