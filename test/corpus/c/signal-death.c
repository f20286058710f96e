/* Dies by abort, after its output is out. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  puts("before");
  fflush(stdout);
  abort();
}
