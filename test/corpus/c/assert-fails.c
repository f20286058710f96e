/* corpus: not:musl */
/* A failed assertion: its message and the signal. */
#include <assert.h>
#include <stdio.h>

int main(void) {
  printf("before\n");
  fflush(stdout);
  volatile int two = 2;
  assert(two + two == 5);
}
