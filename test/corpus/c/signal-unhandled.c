/* Dies by a fault that nobody handles. */
#include <stdio.h>

int main(void) {
  int *volatile p = NULL;
  fprintf(stderr, "about to die\n");
  return *p;
}
