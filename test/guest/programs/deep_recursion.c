/* A hundred thousand frames on the stack at once. */
#include <stdio.h>

__attribute__((noinline)) static unsigned descend(unsigned depth, const unsigned *above) {
  volatile unsigned here = depth ^ *above;
  if (depth == 0) return here;
  return descend(depth - 1, (const unsigned *)&here) * 3 + here;
}

int main(void) {
  unsigned start = 17;
  printf("%u\n", descend(100000, &start));
  return 0;
}
