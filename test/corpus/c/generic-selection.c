/* _Generic, typeof, statement expressions, cleanup, static assertions, case ranges, zero-length arrays. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define kind(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", float: "float", double: "double", char *: "string", const char *: "const string", default: "other")
#define maximum(a, b) ({ typeof(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })
#define square_root(x) _Generic((x), float: sqrtf, long double: sqrtl, default: sqrt)(x)
_Static_assert(sizeof(long) == 8, "LP64");

static int freed;
static void release(int **p) { freed += **p; free(*p); }
static int scoped(int n) {
  for (int i = 0; i < n; i++) {
    __attribute__((cleanup(release))) int *p = malloc(sizeof *p);
    *p = i;
    if (i == 3) continue;
    if (i == 6) return freed;
  }
  return -1;
}

int main(void) {
  char c = 'a', *s = "s";
  printf("%s %s %s %s %s %s %s %s\n", kind(1), kind(1u), kind(1l), kind(1.f), kind(1.), kind(s), kind(c), kind('a'));
  int calls = 0;
  printf("%d %g\n", maximum(calls++, -1), maximum(2.5, 1));
  printf("%d %.9g %.17g %.20Lg %d %d\n", calls, square_root(2.f), square_root(2), square_root(2.L), scoped(10), freed);
}
