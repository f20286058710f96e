/* Decimal arithmetic in bytes, fixed point, date and money conversions, checksums of digits. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t bcd_add(uint64_t a, uint64_t b) {
  uint64_t t1 = a + 0x0666666666666666, t2 = t1 + b, t3 = t1 ^ b, t4 = t2 ^ t3, t5 = ~t4 & 0x1111111111111110;
  return t2 - (t5 >> 2 | t5 >> 3);
}
static int luhn(const char *s) {
  int sum = 0, n = (int)strlen(s);
  for (int i = 0; i < n; i++) { int d = s[n - 1 - i] - '0'; if (i & 1) d = d * 2 > 9 ? d * 2 - 9 : d * 2; sum += d; }
  return sum % 10 == 0;
}
static int32_t fixed_mul(int32_t a, int32_t b) { return (int32_t)(((int64_t)a * b + 0x8000) >> 16); }
static int32_t fixed_sqrt(int32_t x) { int64_t r = 0, bit = 1ll << 46, v = (int64_t)x << 16; for (; bit; bit >>= 2) { if (v >= r + bit) v -= r + bit, r = (r >> 1) + bit; else r >>= 1; } return (int32_t)r; }
static long days(int y, int m, int d) { m = (m + 9) % 12; y -= m / 10; return 365l * y + y / 4 - y / 100 + y / 400 + (m * 306 + 5) / 10 + d - 1; }

int main(void) {
  uint64_t a = 1, b = 1;
  for (int i = 0; i < 60; i++) { uint64_t t = bcd_add(a, b); a = b, b = t; }
  printf("%llx %d %d\n", (unsigned long long)b, luhn("4539578763621486"), luhn("4539578763621487"));
  int32_t x = 3 << 16;
  for (int i = 0; i < 20; i++) x = fixed_mul(x, 0x18000) / 2 + fixed_sqrt(x) - 0x4000;
  printf("%d.%05d %d\n", x >> 16, (int)(((int64_t)(x & 0xffff) * 100000) >> 16), fixed_sqrt(2 << 16));
  printf("%ld %ld\n", days(2026, 11, 22) - days(1970, 1, 1), days(2000, 3, 1) - days(1900, 3, 1));
  for (int64_t cents = -123456789; cents < 200000000; cents += 77777777) printf("%s%lld.%02d ", cents < 0 ? "-" : "", (long long)(cents < 0 ? -cents : cents) / 100, (int)((cents < 0 ? -cents : cents) % 100));
  puts("");
}
