/* Weak symbols, aliases, visibility, sections, and symbols that are not there. */
#include <stdio.h>

int missing(int) __attribute__((weak));
extern int absent_variable __attribute__((weak));
__attribute__((weak)) int replaceable(int x) { return x + 1; }
int real(int x) { return x * 3; }
int aliased(int) __attribute__((alias("real")));
__attribute__((visibility("hidden"))) int hidden = 9;
__attribute__((section("numbers"), used)) static const int one = 1;
__attribute__((section("numbers"), used)) static const int two = 22;
__attribute__((section("numbers"), used)) static const int three = 333;
extern const int __start_numbers[], __stop_numbers[];

int main(void) {
  printf("%d %d %d %d\n", missing != NULL, &absent_variable != NULL, replaceable(4), aliased(5) + hidden);
  int sum = 0, n = 0;
  for (const int *p = __start_numbers; p < __stop_numbers; p++) sum += *p, n++;
  printf("%d %d\n", n, sum);
  if (missing) printf("%d\n", missing(1));
}
