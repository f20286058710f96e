/* corpus: -fstack-protector-all -D_FORTIFY_SOURCE=2 not:O0,clang-O0 */
/* Checked by canaries and fortified functions; dies of an overflow that is found. */
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static int fill(volatile int *n) {
  char small[16];
  memset(small, 'x', (size_t)*n);
  return small[*n - 1];
}

int main(void) {
  volatile int n = 16;
  printf("%d\n", fill(&n));
  fflush(stdout);
  n = 17;
  printf("%d\n", fill(&n));
}
