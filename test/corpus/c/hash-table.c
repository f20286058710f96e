/* A growing table with open addressing: insertion, lookup, removal with back shift. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { uint32_t *keys; int *values; uint32_t mask, used; } Table;
static uint32_t home(uint32_t k) { return (k ^ k >> 15) * 0x2c1b3c6d; }
static uint32_t find(const Table *t, uint32_t k) {
  uint32_t i = home(k) & t->mask;
  while (t->keys[i] && t->keys[i] != k) i = (i + 1) & t->mask;
  return i;
}
static void put(Table *t, uint32_t k, int v) {
  if (t->used * 4 >= t->mask * 3) {
    Table n = {calloc(t->mask * 2 + 2, 4), calloc(t->mask * 2 + 2, sizeof(int)), t->mask * 2 + 1, 0};
    for (uint32_t i = 0; i <= t->mask; i++) if (t->keys[i]) put(&n, t->keys[i], t->values[i]);
    free(t->keys), free(t->values);
    *t = n;
  }
  uint32_t i = find(t, k);
  t->used += !t->keys[i];
  t->keys[i] = k, t->values[i] = v;
}
static int erase(Table *t, uint32_t k) {
  uint32_t i = find(t, k);
  if (!t->keys[i]) return 0;
  t->used--;
  for (uint32_t j = i;;) {
    t->keys[i] = 0;
    uint32_t h;
    do {
      j = (j + 1) & t->mask;
      if (!t->keys[j]) return 1;
      h = home(t->keys[j]) & t->mask;
    } while (i <= j ? i < h && h <= j : i < h || h <= j);
    t->keys[i] = t->keys[j], t->values[i] = t->values[j];
    i = j;
  }
}

int main(void) {
  Table t = {calloc(8, 4), calloc(8, sizeof(int)), 7, 0};
  uint32_t s = 1;
  long hits = 0, erased = 0, sum = 0;
  for (int i = 0; i < 20000; i++) {
    s = s * 1664525 + 1013904223;
    uint32_t k = (s >> 10) % 3000 + 1;
    if (i % 5 == 4) erased += erase(&t, k);
    else if (i % 5 == 3) { uint32_t at = find(&t, k); if (t.keys[at]) hits++, sum += t.values[at]; }
    else put(&t, k, i);
  }
  printf("%u %u %ld %ld %ld\n", t.used, t.mask, hits, erased, sum);
}
