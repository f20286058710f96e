/* Arrays whose size is known only at run time, alloca in a loop, and two-dimensional ones as parameters. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static long triangle(int n) {
  long rows[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) rows[i][j] = j == 0 || j == i ? 1 : rows[i - 1][j - 1] + rows[i - 1][j];
  return rows[n - 1][n / 2];
}

static double trace(int n, double m[n][n]) {
  double t = 0;
  for (int i = 0; i < n; i++) t += m[i][i];
  return t;
}

__attribute__((noinline)) static unsigned chain(int n) {
  struct link {
    struct link *next;
    int value;
  } *head = NULL;
  for (int i = 0; i < n; i++) {
    struct link *l = alloca(sizeof *l + (size_t)(i % 7));
    l->next = head;
    l->value = i;
    head = l;
  }
  unsigned digest = 0;
  for (; head != NULL; head = head->next) digest = digest * 31 + (unsigned)head->value;
  return digest;
}

int main(void) {
  for (int n = 1; n < 24; n += 5) printf("%ld ", triangle(n));
  int n = 6;
  double m[n][n];
  for (int i = 0; i < n * n; i++) m[0][i] = i * 0.5;
  char *copy = alloca(100);
  strcpy(copy, "on the stack");
  printf("%g %u %s\n", trace(n, m), chain(200), copy);
  return 0;
}
