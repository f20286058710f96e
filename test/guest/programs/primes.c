/* Number theory: a bit sieve, Miller-Rabin, greatest common divisors, perfect numbers, Collatz, continued fractions. */
#include <stdint.h>
#include <stdio.h>

static uint32_t sieve[64];

static uint32_t power(uint32_t base, uint32_t e, uint32_t m) {
  uint64_t r = 1, b = base % m;
  for (; e != 0; e >>= 1, b = b * b % m)
    if (e & 1) r = r * b % m;
  return (uint32_t)r;
}

static int is_prime(uint32_t n) {
  static const uint32_t witnesses[] = {2, 7, 61};
  if (n < 2 || n % 2 == 0) return n == 2;
  for (int w = 0; w < 3; w++) {
    uint32_t d = n - 1;
    while (d % 2 == 0) d /= 2;
    uint32_t x = power(witnesses[w], d, n);
    if (witnesses[w] % n == 0 || x == 1) continue;
    while (x != n - 1 && d != n - 1) {
      x = (uint32_t)((uint64_t)x * x % n);
      d *= 2;
    }
    if (x != n - 1) return 0;
  }
  return 1;
}

static unsigned gcd(unsigned a, unsigned b) { return b == 0 ? a : gcd(b, a % b); }

int main(void) {
  int count = 0;
  for (uint32_t i = 2; i < 2048; i++) {
    if (sieve[i >> 5] >> (i & 31) & 1) continue;
    count++;
    for (uint32_t j = i * i; j < 2048; j += i) sieve[j >> 5] |= 1u << (j & 31);
  }
  printf("%d %d %d %d\n", count, is_prime(4294967291u), is_prime(4294967295u), is_prime(104729));
  unsigned digest = 0;
  for (unsigned i = 1; i < 60; i++) digest = digest * 31 + gcd(i * 360360, 9699690 + i);
  int longest = 0, at = 0;
  for (int n = 1; n < 150; n++) {
    int steps = 0;
    for (unsigned long c = (unsigned long)n; c != 1; c = c % 2 == 0 ? c / 2 : 3 * c + 1) steps++;
    if (steps > longest) {
      longest = steps;
      at = n;
    }
  }
  printf("%u %d %d\n", digest, longest, at);
  double x = 3.14159265358979;
  for (int i = 0; i < 8; i++) {
    printf("%d ", (int)x);
    x = 1 / (x - (int)x);
  }
  printf("\n");
  return count & 127;
}
