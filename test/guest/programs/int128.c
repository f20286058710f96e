/* 128-bit integers: products, quotients, shifts and comparisons; factorials and Fibonacci numbers in decimal. */
#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static const char *decimal(u128 x) {
  static char text[48];
  char *p = text + sizeof text - 1;
  *p = 0;
  do *--p = (char)('0' + (int)(x % 10));
  while ((x /= 10) != 0);
  return p;
}

int main(void) {
  u128 factorial = 1, a = 0, b = 1;
  for (unsigned i = 1; i <= 33; i++) {
    factorial *= i;
    if (i % 4 == 1) printf("%u! = %s\n", i, decimal(factorial));
  }
  for (int i = 0; i < 180; i++) {
    u128 c = a + b;
    a = b;
    b = c;
  }
  printf("F(180) = %s\n", decimal(a));
  i128 s = -(i128)a / 1234567;
  printf("%lld %lld %d\n", (long long)(s >> 64), (long long)s, s < 0);
  uint64_t n = 0xfffffffffffffc5u, power = 1, base = 3;
  for (uint64_t e = n - 1; e != 0; e >>= 1, base = (uint64_t)((u128)base * base % n))
    if (e & 1) power = (uint64_t)((u128)power * base % n);
  printf("%llu\n", (unsigned long long)power);
  for (int shift = 0; shift < 128; shift += 19) printf("%llx ", (unsigned long long)(b << shift >> 61));
  printf("\n");
  return a > b;
}
