/* Fields of structures without gaps, as files and packets have them: 1, 4, 2 and 8 bytes at every alignment, read, changed and written. */
#include "kernel.h"

#include <string.h>

#define RECORDS 100

typedef struct __attribute__((packed)) {
  uint8_t kind;
  uint32_t length;
  uint16_t port;
  uint64_t total;
} record;

static KEEP uint64_t update(record *records, uint32_t by) {
  uint64_t sum = 0;
  for (int i = 0; i < RECORDS; i++) {
    records[i].length += by;
    records[i].port += i;
    records[i].total += records[i].length;
    records[i].kind++;
    sum += records[i].total;
  }
  return sum;
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 1000);
  static record records[RECORDS];
  uint64_t sum = 0;
  for (uint64_t r = 0; r < repetitions; r++) sum += update(records, (uint32_t)r);
  return checksum(sum);
}
