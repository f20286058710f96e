/* Calls that become jumps: mutual recursion, through pointers, with arguments on the stack. */
#include <stdio.h>

typedef long (*Step)(long n, long a, long b);
static long even(long n, long a, long b);
static long odd(long n, long a, long b) { return n == 0 ? a : even(n - 1, a * 3 + b, b + 1); }
static long even(long n, long a, long b) { return n == 0 ? b : odd(n - 1, a ^ b, a); }
static long finish(long n, long a, long b) { return n + a * 2 + b; }
static long hop(long n, long a, long b) { static const Step steps[] = {odd, even, finish}; return steps[(a ^ n) % 3 < 0 ? 0 : (a ^ n) % 3](n / 2, a & 0xffff, b & 0xffff); }
__attribute__((noinline)) static long many(long a, long b, long c, long d, long e, long f, long g, long h) { return a < 0 ? g * h + f : many(a - 1, c, d, e, f, g, h + 1, b); }

int main(void) {
  long sum = 0;
  for (volatile long n = 1; n < 300; n += 7) sum = sum * 31 + hop(n, n * n, 3) + many(n % 20, 1, 2, 3, 4, 5, 6, 7);
  printf("%ld %ld\n", sum, odd(2000, 1, 1));
}
