/* Calls through tables, callbacks, pointers returned from functions, a small virtual-method scheme. */
#include <stdio.h>

typedef int operation(int, int);
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }
static int divide(int a, int b) { return b == 0 ? 0 : a / b; }
static operation *const table[] = {add, subtract, multiply, divide};
static operation *choose(int i) { return table[i & 3]; }

struct shape;
struct methods {
  double (*area)(const struct shape *);
  const char *name;
};
struct shape {
  const struct methods *methods;
  double a, b;
};
static double rectangle_area(const struct shape *s) { return s->a * s->b; }
static double triangle_area(const struct shape *s) { return s->a * s->b / 2; }
static double ellipse_area(const struct shape *s) { return s->a * s->b * 3.141592653589793; }
static const struct methods rectangle = {rectangle_area, "rectangle"}, triangle = {triangle_area, "triangle"}, ellipse = {ellipse_area, "ellipse"};

static void each(int n, void (*visit)(int, void *), void *context) {
  for (int i = 0; i < n; i++) visit(i, context);
}
static void accumulate(int i, void *context) { *(long *)context += i * i; }

int main(void) {
  int value = 1;
  for (int i = 0; i < 200; i++) value = choose(i * 7 >> 1)(value, i % 9 - 3);
  struct shape shapes[] = {{&rectangle, 2, 3}, {&triangle, 4, 5}, {&ellipse, 1, 2}};
  for (int i = 0; i < 6; i++) printf("%s %g\n", shapes[i % 3].methods->name, shapes[i % 3].methods->area(&shapes[i % 3]) * i);
  long total = 0;
  each(100, accumulate, &total);
  printf("%d %ld\n", value, total);
  return 0;
}
