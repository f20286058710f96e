/* Number theory: gcd, modular powers, inverses, Miller-Rabin, Pollard's rho. */
#include <stdint.h>
#include <stdio.h>

static uint64_t gcd(uint64_t a, uint64_t b) { return b == 0 ? a : gcd(b, a % b); }
static uint64_t mulmod(uint64_t a, uint64_t b, uint64_t m) { return (uint64_t)((unsigned __int128)a * b % m); }
static uint64_t powmod(uint64_t a, uint64_t e, uint64_t m) {
  uint64_t r = 1;
  for (; e; e >>= 1, a = mulmod(a, a, m))
    if (e & 1) r = mulmod(r, a, m);
  return r;
}
static int is_prime(uint64_t n) {
  static const uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  for (int i = 0; i < 12; i++)
    if (n % bases[i] == 0) return n == bases[i];
  int s = __builtin_ctzll(n - 1);
  for (int i = 0; i < 12; i++) {
    uint64_t x = powmod(bases[i], (n - 1) >> s, n);
    int ok = x == 1 || x == n - 1;
    for (int r = 1; r < s && !ok; r++) ok = (x = mulmod(x, x, n)) == n - 1;
    if (!ok) return 0;
  }
  return 1;
}
static uint64_t rho(uint64_t n) {
  for (uint64_t c = 1;; c++) {
    uint64_t x = 2, y = 2, d = 1;
    while (d == 1) {
      x = (mulmod(x, x, n) + c) % n;
      y = (mulmod(y, y, n) + c) % n;
      y = (mulmod(y, y, n) + c) % n;
      d = gcd(x > y ? x - y : y - x, n);
    }
    if (d != n) return d;
  }
}

int main(void) {
  uint64_t numbers[] = {1000000007, 18446744073709551557u, 1000000016000000063, 614889782588491410, 999999000001};
  for (int i = 0; i < 5; i++) {
    uint64_t n = numbers[i];
    printf("%llu prime %d pow %llu gcd %llu", (unsigned long long)n, is_prime(n), (unsigned long long)powmod(3, n - 1, n),
           (unsigned long long)gcd(n, 6469693230));
    if (!is_prime(n)) printf(" factor %llu", (unsigned long long)rho(n % 2 ? n : n / 2));
    puts("");
  }
}
