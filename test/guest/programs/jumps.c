/* setjmp and longjmp: out of nested calls, with values, as exceptions and as coroutine-like retries. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf handlers[8];
static int depth;

__attribute__((noinline)) static void raise_error(int code) { longjmp(handlers[--depth], code); }

__attribute__((noinline)) static int dig(int levels, int code) {
  if (levels == 0) raise_error(code);
  return dig(levels - 1, code) + 1;
}

static int guarded(int levels, int code) {
  int caught = setjmp(handlers[depth++]);
  if (caught != 0) return -caught;
  return dig(levels, code);
}

int main(void) {
  volatile int total = 0, tries = 0;
  for (int i = 1; i < 40; i++) total += guarded(i, i * i);
  jmp_buf again;
  int value = setjmp(again);
  tries++;
  if (value < 5) longjmp(again, value + 1);
  if (setjmp(again) == 0) longjmp(again, 0);
  printf("%d %d %d %d\n", total, tries, value, depth);
  return 0;
}
