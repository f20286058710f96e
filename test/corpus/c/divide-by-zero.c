/* Dies by an integer division by zero. */
#include <stdio.h>

int main(void) {
  volatile int zero = 0;
  puts("dividing");
  fflush(stdout);
  return 7 / zero;
}
