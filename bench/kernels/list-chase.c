/*
 * A linked list in random order over a working set of the second argument's bytes. The first argument is the number of
 * thousands of nodes visited. Sattolo's shuffle makes one cycle of all nodes, without memory of its own.
 */
#include "kernel.h"

typedef struct node {
  struct node *next;
  uint64_t value;
} node;

static KEEP node *chase(node *at, uint64_t steps, uint64_t *sum) {
  uint64_t total = 0;
  for (uint64_t i = 0; i < steps; i++) {
    total += at->value;
    at = at->next;
  }
  *sum += total;
  return at;
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 1000);
  uint64_t bytes = argument(argc, argv, 2, 16384);
  uint64_t count = bytes / sizeof(node);
  node *nodes = allocate(count * sizeof(node));
  for (uint64_t i = 0; i < count; i++) {
    nodes[i].next = &nodes[i];
    nodes[i].value = i;
  }
  for (uint64_t i = count - 1; i > 0; i--) {
    uint64_t j = ((uint64_t)random32() * i) >> 32;
    node *swapped = nodes[i].next;
    nodes[i].next = nodes[j].next;
    nodes[j].next = swapped;
  }
  uint64_t sum = 0;
  node *at = nodes;
  for (uint64_t r = 0; r < repetitions; r++) at = chase(at, 1000, &sum);
  return checksum(sum);
}
