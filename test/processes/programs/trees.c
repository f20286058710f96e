#include "common.h"
/* Each process has its own memory; a tree of them adds up through exit statuses. */
static int value = 1;
static int grow(int depth) {
  if (depth == 0) return value;
  pid_t children[2];
  for (int i = 0; i < 2; i++) {
    value++;
    if ((children[i] = fork()) == 0) _exit(grow(depth - 1));
  }
  int sum = 0;
  for (int i = 0; i < 2; i++) sum += ended(children[i]);
  return sum & 0xff;
}
int main(void) {
  int *heap = malloc(4 * 100000);
  for (int i = 0; i < 100000; i++) heap[i] = i;
  say("tree %d\n", grow(3));
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 100000; i++) heap[i] += value;
    int wrong = 0;
    for (int i = 0; i < 100000; i++) wrong += heap[i] != i + value;
    _exit(wrong != 0);
  }
  heap[5] = 77;
  say("own memory %d %d %d\n", ended(child), heap[5], heap[99999]);
  return 0;
}
