/* corpus: not:clang-O0,clang-O2 */
/* Nested functions: their trampolines are code on the stack. */
#include <stdio.h>
#include <stdlib.h>

static int sum_by(int n, int (*f)(int)) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += f(i);
  return sum;
}
static int fix(int depth, int (*outer)(int)) {
  int here(int x) { return x * depth + (outer ? outer(x) : 0); }
  return depth == 0 ? sum_by(5, here) : fix(depth - 1, here);
}

int main(void) {
  int calls = 0;
  int order[] = {5, 3, 8, 1, 9, 2};
  int compare(const void *a, const void *b) { calls++; return *(const int *)a - *(const int *)b; }
  qsort(order, 6, sizeof *order, compare);
  for (int k = 1; k < 5; k++) {
    int scaled(int x) { calls++; return x * k + order[x % 6]; }
    printf("%d %d\n", sum_by(10, scaled), fix(k, NULL));
  }
  printf("%d %d\n", order[0], calls > 45);
}
