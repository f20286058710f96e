/* The C library's qsort of records, with a callback for each comparison. */
#include "kernel.h"

#define LENGTH 20000

typedef struct {
  uint32_t key;
  uint32_t payload[3];
} record;

static KEEP int compare(const void *left, const void *right) {
  uint32_t a = ((const record *)left)->key, b = ((const record *)right)->key;
  return (a > b) - (a < b);
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 10);
  static record records[LENGTH];
  uint64_t sum = 0;
  for (uint64_t r = 0; r < repetitions; r++) {
    for (int i = 0; i < LENGTH; i++) {
      records[i].key = random32();
      records[i].payload[i % 3] = (uint32_t)i;
    }
    qsort(records, LENGTH, sizeof records[0], compare);
    for (int i = 0; i < LENGTH; i += 97) sum = sum * 31 + records[i].key + records[i].payload[1];
  }
  return checksum(sum);
}
