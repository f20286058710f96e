/* Ring buffers, deques, skip lists and a calendar of events. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 64
static int ring[SIZE];
static unsigned head, tail;
typedef struct Skip { int key; struct Skip *next[]; } Skip;
static uint32_t seed = 7;
static uint32_t next_random(void) { return seed = seed * 1664525 + 1013904223; }
static Skip *list;
static int insert(int key) {
  Skip *path[8], *p = list;
  for (int level = 7; level >= 0; level--) {
    while (p->next[level] && p->next[level]->key < key) p = p->next[level];
    path[level] = p;
  }
  if (p->next[0] && p->next[0]->key == key) return 0;
  int height = 1 + __builtin_ctz(next_random() >> 12 | 0x80);
  Skip *n = malloc(sizeof *n + (size_t)height * sizeof(Skip *));
  n->key = key;
  for (int i = 0; i < height; i++) n->next[i] = path[i]->next[i], path[i]->next[i] = n;
  return 1;
}

int main(void) {
  long sum = 0;
  int full = 0, empty = 0;
  for (int i = 0; i < 5000; i++) {
    if (next_random() >> 31) { if (tail - head < SIZE) ring[tail++ % SIZE] = i; else full++; }
    else if (head != tail) sum = sum * 3 % 1000003 + ring[head++ % SIZE];
    else empty++;
  }
  printf("%ld %u %d %d\n", sum, tail - head, full > 0, empty > 0);
  list = calloc(1, sizeof *list + 8 * sizeof(Skip *));
  int fresh = 0;
  for (int i = 0; i < 3000; i++) fresh += insert((int)(next_random() >> 16) % 4000);
  long hash = 0;
  int count = 0, levels = 0;
  for (Skip *p = list->next[0]; p; p = p->next[0]) hash = (hash * 31 + p->key) % 1000000007, count++;
  for (Skip *p = list->next[3]; p; p = p->next[3]) levels++;
  printf("%d %d %ld %d\n", fresh, count, hash, levels > 50);
}
