/* A small virtual machine with labels as values. */
#include <stdio.h>

enum { PUSH, ADD, SUB, MUL, DUP, SWAP, OVER, JNZ, DROP, PRINT, HALT };

static long run(const int *code) {
  static const void *const labels[] = {&&push, &&add, &&sub, &&mul, &&dup, &&swap, &&over, &&jnz, &&drop, &&print, &&halt};
  long stack[32], *sp = stack, steps = 0, t;
  const int *pc = code;
#define NEXT do { steps++; goto *labels[*pc++]; } while (0)
  NEXT;
push: *sp++ = *pc++; NEXT;
add: sp--; sp[-1] += sp[0]; NEXT;
sub: sp--; sp[-1] -= sp[0]; NEXT;
mul: sp--; sp[-1] *= sp[0]; NEXT;
dup: sp[0] = sp[-1]; sp++; NEXT;
swap: t = sp[-1]; sp[-1] = sp[-2]; sp[-2] = t; NEXT;
over: sp[0] = sp[-2]; sp++; NEXT;
jnz: if (*--sp != 0) pc = code + *pc; else pc++; NEXT;
drop: sp--; NEXT;
print: printf("%ld\n", sp[-1]); NEXT;
halt: return steps;
}

int main(void) {
  static const int factorial[] = {PUSH, 1, PUSH, 20, SWAP, OVER, MUL, SWAP, PUSH, -1, ADD, DUP, JNZ, 4, DROP, PRINT, HALT};
  static const int count[] = {PUSH, 0, PUSH, 20000, SWAP, PUSH, 3, ADD, SWAP, PUSH, 1, SUB, DUP, JNZ, 4, DROP, PRINT, HALT};
  printf("%ld\n", run(factorial));
  printf("%ld\n", run(count));
}
