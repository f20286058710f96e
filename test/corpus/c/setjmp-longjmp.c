/* longjmp out of deep calls, values, loops of it, sigsetjmp, and kept registers. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf outer, inner;
static void dive(int depth, int value) {
  volatile char pad[40] = {0};
  pad[depth % 40] = 1;
  if (depth == 0) longjmp(value % 2 ? inner : outer, value);
  dive(depth - 1, value);
}
static int attempt(int n) {
  volatile int stages = 0;
  int code = setjmp(inner);
  stages++;
  if (code == 0) dive(n, n);
  else if (code < 20) dive(n, code + 2 + (code > 12));
  return stages * 100 + code;
}
static double keep(double x, int n) {
  jmp_buf here;
  volatile double y = x;
  volatile int i = 0;
  setjmp(here);
  y = y * 1.5 + i;
  if (++i < n) longjmp(here, 1);
  return y;
}

int main(void) {
  for (volatile int n = 0; n < 30; n += 3) {
    int code = setjmp(outer);
    if (code == 0) printf("%d inner %d\n", n, attempt(n));
    else printf("%d outer %d\n", n, code);
  }
  printf("%g\n", keep(1, 10));
  sigjmp_buf s;
  volatile int rounds = 0;
  int v = sigsetjmp(s, 1);
  if (v < 5) rounds += v, siglongjmp(s, v + 1);
  printf("%d %d\n", v, rounds);
  jmp_buf zero;
  v = setjmp(zero);
  if (v == 0) longjmp(zero, 0);
  printf("%d\n", v);
}
