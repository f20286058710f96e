/* Structures by value: in integer registers, in vector registers, mixed, in memory, with long double, returned and nested. */
#include <stdio.h>

struct small { int a; short b; char c; };
struct pair { double x, y; };
struct mixed { long n; double v; };
struct large { int values[10]; };
struct extended { long double value; int tag; };
struct floats { float a, b, c; };
struct nested { struct small s; struct floats f; };

#define OUT __attribute__((noinline)) static
OUT struct small twice(struct small s) { return (struct small){s.a * 2, (short)(s.b * 2), (char)(s.c + 1)}; }
OUT struct pair swap(struct pair p) { return (struct pair){p.y, p.x}; }
OUT struct mixed scale(struct mixed m, double by) { return (struct mixed){m.n + 1, m.v * by}; }
OUT struct large rotate(struct large l, int by) {
  struct large r;
  for (int i = 0; i < 10; i++) r.values[i] = l.values[(i + by) % 10];
  return r;
}
OUT struct extended grow(struct extended e) { return (struct extended){e.value * 1.5L, e.tag + 1}; }
OUT struct floats spread(struct floats f) { return (struct floats){f.b, f.c, f.a}; }
OUT struct nested both(struct nested n) { return (struct nested){twice(n.s), spread(n.f)}; }

int main(void) {
  struct small s = {1000, -20, 'a'};
  struct pair p = {1.5, -2.5};
  struct mixed m = {7, 0.125};
  struct large l = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};
  struct extended e = {1.0L, 0};
  struct nested n = {{1, 2, 3}, {1.0f, 2.0f, 3.0f}};
  for (int i = 0; i < 5; i++) {
    s = twice(s);
    p = swap(p);
    m = scale(m, 3);
    l = rotate(l, 3);
    e = grow(e);
    n = both(n);
  }
  printf("%d %d %c %g %g %ld %g %d %Lg %d\n", s.a, s.b, s.c, p.x, p.y, m.n, m.v, l.values[0], e.value, e.tag);
  printf("%d %d %d %g %g %g\n", n.s.a, n.s.b, n.s.c, (double)n.f.a, (double)n.f.b, (double)n.f.c);
  return 0;
}
