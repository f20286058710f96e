/* Standard input is empty: every way of reading says so. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
  char line[10];
  int n = 0;
  printf("%d ", getchar());
  printf("%d ", fgets(line, sizeof line, stdin) == NULL);
  printf("%d ", scanf("%d", &n));
  printf("%zd ", read(0, line, 5));
  printf("%d %d\n", feof(stdin) != 0, ferror(stdin));
}
