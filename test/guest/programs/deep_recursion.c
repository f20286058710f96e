/* A hundred thousand frames on the stack at once. */
#include <stdio.h>

__attribute__((noinline)) static unsigned descend(unsigned depth, const unsigned *above) {
  unsigned here = depth ^ *above;
  return depth == 0 ? here : descend(depth - 1, &here) + 1;
}

int main(void) {
  unsigned start = 17;
  printf("%u\n", descend(100000, &start));
  return 0;
}
