/* corpus: not:Ofast */
/* Recursion over megabytes of stack. */
#include <stdio.h>

__attribute__((noinline)) static unsigned long down(int depth, unsigned long seed) {
  volatile unsigned char frame[200];
  for (int i = 0; i < 200; i += 40) frame[i] = (unsigned char)(seed >> (i / 8));
  if (depth == 0) return seed;
  unsigned long below = down(depth - 1, seed * 6364136223846793005ul + 1);
  return below ^ frame[40] ^ (below << 3) ^ frame[160];
}

int main(void) {
  printf("%lx\n", down(10, 1));
  printf("%lx\n", down(20000, 2));
  printf("%lx\n", down(28000, 3));
}
