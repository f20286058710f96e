/* What the C library brings: printing, allocation, sorting, long jumps, variable arguments, long double. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf back;

__attribute__((noinline)) static void deep(int levels) {
  volatile char room[32];
  room[levels % 32] = (char)levels;
  if (levels == 0) longjmp(back, 3);
  deep(levels - 1);
  room[0] = 1;
}

static int ascending(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

__attribute__((noinline)) static int total(int count, ...) {
  va_list list;
  va_start(list, count);
  int sum = 0;
  for (int i = 0; i < count; i++) sum += va_arg(list, int);
  va_end(list);
  return sum;
}

int main(void) {
  const char *words[] = {"lambda", "epsilon", "tau", "eta", "omega", "chi"};
  qsort(words, 6, sizeof *words, ascending);
  char *copy = malloc(200);
  copy[0] = 0;
  for (int i = 0; i < 6; i++) strcat(copy, words[i]);
  volatile long double third = 1.0L / 3;
  if (setjmp(back) == 0) deep(6);
  else printf("%s %zu\n", copy, strlen(copy));
  printf("%d %g %.12Lf\n", total(4, 1, 2, 3, 4), 0.1, third * 2);
  copy = realloc(copy, 4000);
  memmove(copy + 3, copy, 100);
  printf("%s\n", copy + 3);
  free(copy);
  return 7;
}
