/*
 * Open addressing with linear probing: random inserts and lookups in a table of the second argument's bytes (a power of
 * two), half full at the end of each round. The first argument is the number of thousands of operations.
 */
#include "kernel.h"

#include <string.h>

typedef struct {
  uint64_t key; /* 0: free */
  uint64_t value;
} entry;

static entry *entries;
static uint64_t mask;

static KEEP entry *find(uint64_t key) {
  uint64_t at = (key * 0x9e3779b97f4a7c15u) >> 20;
  while (entries[at & mask].key != key && entries[at & mask].key != 0) at++;
  return &entries[at & mask];
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 1000);
  uint64_t bytes = argument(argc, argv, 2, 65536);
  uint64_t capacity = bytes / sizeof(entry), used = 0, sum = 0;
  entries = allocate(bytes);
  memset(entries, 0, bytes);
  mask = capacity - 1;
  for (uint64_t r = 0; r < repetitions; r++)
    for (int i = 0; i < 1000; i++) {
      /* As many possible keys as places: about two of five lookups find theirs when the table is half full. */
      uint64_t key = (((uint64_t)random32() * capacity) >> 32) + 1;
      entry *found = find(key);
      if (found->key == key) {
        sum += ++found->value;
      } else if (i & 1) {
        if (++used > capacity / 2) {
          memset(entries, 0, bytes);
          used = 1;
          found = find(key);
        }
        *found = (entry){key, (uint64_t)i};
      }
    }
  return checksum(sum + used);
}
