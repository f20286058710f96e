/* qsort and bsearch with elements of several sizes and comparisons, and stability by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Item { char name[12]; int key; double weight; };
static int by_int(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static int by_key(const void *a, const void *b) {
  const struct Item *x = a, *y = b;
  return x->key != y->key ? x->key - y->key : strcmp(x->name, y->name);
}
static int by_byte(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }
static int by_pointer(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int with(const void *a, const void *b, void *sign) { return *(int *)sign * by_int(a, b); }

int main(void) {
  static int v[2000];
  struct Item items[60];
  unsigned char bytes[777];
  unsigned state = 3;
  for (int i = 0; i < 2000; i++) v[i] = (int)((state = state * 1103515245 + 12345) >> 8) % 10007;
  for (int i = 0; i < 60; i++) snprintf(items[i].name, 12, "n%u", (state = state * 69069 + 1) >> 20), items[i].key = v[i] % 9, items[i].weight = i / 8.0;
  for (int i = 0; i < 777; i++) bytes[i] = (unsigned char)(v[i] >> 3);
  qsort(v, 2000, sizeof *v, by_int);
  qsort(items, 60, sizeof *items, by_key);
  qsort(bytes, 777, 1, by_byte);
  long hash = 0;
  for (int i = 0; i < 2000; i++) hash = hash * 31 + v[i];
  printf("%ld %d %d\n", hash, bytes[0], bytes[776]);
  for (int i = 0; i < 60; i += 7) printf("%s %d %g\n", items[i].name, items[i].key, items[i].weight);
  int found = 0;
  for (int key = 0; key < 10007; key++) {
    int *p = bsearch(&key, v, 2000, sizeof *v, by_int);
    found += p != NULL && *p == key;
  }
  int down = -1;
  qsort_r(v, 2000, sizeof *v, with, &down);
  char *words[] = {"pear", "fig", "apple", "date", "cherry", "banana", "elder"};
  qsort(words, 7, sizeof *words, by_pointer);
  printf("%d %d %s %s\n", found, v[0], words[0], words[6]);
}
