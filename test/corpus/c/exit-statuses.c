/* The status is what main returns, modulo 256; buffered output comes out. */
#include <stdio.h>

int main(void) {
  printf("no newline at the end");
  fprintf(stderr, "and the error stream");
  return 0x1234;
}
