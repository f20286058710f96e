/*
 * Random lookups in a binary search tree that fills the second argument's bytes. The first argument is the number of
 * thousands of lookups. Keys enter the tree in random order; nodes lie in the order of their entry.
 */
#include "kernel.h"

typedef struct node {
  struct node *child[2];
  uint64_t key;
  uint64_t value;
} node;

static KEEP node *look_up(node *at, uint64_t key) {
  while (at != NULL && at->key != key) at = at->child[key > at->key];
  return at;
}

static KEEP void insert(node **root, node *leaf) {
  while (*root != NULL) root = &(*root)->child[leaf->key > (*root)->key];
  *root = leaf;
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 100);
  uint64_t bytes = argument(argc, argv, 2, 16384);
  uint64_t count = bytes / sizeof(node);
  node *nodes = allocate(count * sizeof(node)), *root = NULL;
  /* An odd factor permutes the 32-bit numbers: keys are distinct, and lookups can name those that exist. */
  for (uint64_t i = 0; i < count; i++) {
    nodes[i] = (node){{NULL, NULL}, (uint32_t)((i + 1) * 2654435769u), i};
    nodes[i].key = (uint32_t)(nodes[i].key ^ (nodes[i].key >> 15)) * 0x85ebca6bu & 0xffffffffu;
    insert(&root, &nodes[i]);
  }
  uint64_t sum = 0;
  for (uint64_t r = 0; r < repetitions; r++)
    for (int i = 0; i < 1000; i++) {
      uint64_t wanted = nodes[((uint64_t)random32() * count) >> 32].key;
      sum += look_up(root, wanted)->value;
    }
  return checksum(sum);
}
