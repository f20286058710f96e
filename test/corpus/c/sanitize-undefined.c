/* corpus: -fsanitize=undefined not:musl,clang-O0,clang-O2,static */
/* Undefined behaviour that the sanitiser's library reports on stderr. */
#include <limits.h>
#include <stdio.h>

int main(void) {
  volatile int big = INT_MAX, shift = 33, zero = 0, index = 5;
  int array[4] = {1, 2, 3, 4};
  printf("%d\n", big + 1 == INT_MIN);
  printf("%d\n", 1 << (shift & 31) | (1 << shift) * 0);
  printf("%d\n", -(-big - 1) == INT_MIN);
  printf("%d\n", index < 4 ? array[index] : array[zero]);
}
