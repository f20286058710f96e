/* Tables of functions, callbacks with state, functions that return functions, pointers to members of tables. */
#include <stdio.h>
#include <string.h>

typedef int (*Binary)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int pick(int a, int b) { return a > b ? a : b; }
static Binary named(const char *name) {
  static const struct { const char *name; Binary f; } table[] = {{"add", add}, {"sub", sub}, {"mul", mul}, {"max", pick}};
  for (int i = 0; i < 4; i++) if (strcmp(table[i].name, name) == 0) return table[i].f;
  return NULL;
}
static int fold(const int *v, int n, int start, Binary f) {
  for (int i = 0; i < n; i++) start = f(start, v[i]);
  return start;
}
struct Walker { void (*visit)(struct Walker *, int); int count, sum; };
static void each(int from, int to, struct Walker *w) { for (; from < to; from++) w->visit(w, from); }
static void odd(struct Walker *w, int x) { if (x & 1) w->count++, w->sum += x; }
static void square(struct Walker *w, int x) { w->sum += x * x; w->visit = x % 5 == 4 ? odd : square; }
static int apply(Binary (*choose)(const char *), const char *names, int x) {
  char name[8];
  for (int used; sscanf(names, "%7s%n", name, &used) == 1; names += used) x = choose(name)(x, 3);
  return x;
}

int main(void) {
  int v[] = {3, 1, 4, 1, 5, 9, 2, 6};
  const char *names[] = {"add", "sub", "mul", "max", "none"};
  for (int i = 0; i < 5; i++) {
    Binary f = named(names[i]);
    printf("%s %d\n", names[i], f ? fold(v, 8, 1, f) : -1);
  }
  struct Walker w = {square, 0, 0};
  each(0, 100, &w);
  printf("%d %d %d\n", w.count, w.sum, apply(named, "add mul sub max mul", 5));
}
