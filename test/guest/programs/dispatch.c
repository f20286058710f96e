/* An interpreter with computed gotos: a stack machine that sieves primes. */
#include <stdio.h>

enum { PUSH, ADD, LESS, JUMP_IF, JUMP, LOAD, STORE, GET, PUT, PRINT, HALT };

int main(void) {
  static const int program[] = {
      /* i = 2 */ PUSH, 2, STORE, 0,
      /* 4: while i < 80 */ LOAD, 0, PUSH, 80, LESS, JUMP_IF, 13, JUMP, 50,
      /* 13: if sieve[i] next */ LOAD, 0, GET, JUMP_IF, 41,
      /* 18: print i; j = i + i */ LOAD, 0, PRINT, LOAD, 0, LOAD, 0, ADD, STORE, 1,
      /* 28: if !(j < 80) next */ LOAD, 1, PUSH, 80, LESS, JUMP_IF, 50, JUMP, 41, 0, 0, 0, 0,
      /* 41: i = i + 1; loop */ LOAD, 0, PUSH, 1, ADD, STORE, 0, JUMP, 4,
      /* 50: end, or mark */ LOAD, 1, PUSH, 80, LESS, JUMP_IF, 58, HALT,
      /* 58: sieve[j] = 1; j += i */ LOAD, 1, PUT, LOAD, 1, LOAD, 0, ADD, STORE, 1,
      /* 68: again or next */ LOAD, 1, PUSH, 80, LESS, JUMP_IF, 58, JUMP, 41};
  static const void *const labels[] = {&&push, &&add, &&less, &&jump_if, &&jump, &&load, &&store, &&get, &&put, &&print, &&halt};
  int stack[32], *top = stack, variables[2] = {0}, sieve[80] = {0}, steps = 0;
  const int *at = program;
#define NEXT goto *(steps++, labels[*at++])
  NEXT;
push: *top++ = *at++; NEXT;
add: top--; top[-1] += *top; NEXT;
less: top--; top[-1] = top[-1] < *top; NEXT;
jump_if: at = *--top ? program + *at : at + 1; NEXT;
jump: at = program + *at; NEXT;
load: *top++ = variables[*at++]; NEXT;
store: variables[*at++] = *--top; NEXT;
get: top[-1] = sieve[top[-1]]; NEXT;
put: sieve[*--top] = 1; NEXT;
print: printf("%d ", *--top); NEXT;
halt: printf("\n%d steps\n", steps);
  return variables[0];
}
