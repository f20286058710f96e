/* __int128: the four operations, shifts, comparisons, conversions. */
#include <stdint.h>
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void print(const char *name, u128 x) {
  printf("%s %016llx%016llx\n", name, (unsigned long long)(x >> 64), (unsigned long long)x);
}

int main(void) {
  volatile uint64_t seed = 0x243f6a8885a308d3;
  u128 a = seed, b = 0x13198a2e03707344;
  for (int i = 0; i < 24; i++) {
    a = a * 0xda942042e4dd58b5u + ((u128)seed << 64);
    b = (b << 7 | b >> 121) ^ a;
    print("product", a * b);
    print("quotient", a / (b >> (i * 5)));
    print("remainder", a % ((b >> (i * 3)) | 1));
    i128 s = (i128)a, t = (i128)b >> (i * 4);
    if (t != 0) print("signed", (u128)(s / t)), print("signed remainder", (u128)(s % t));
    print("shifts", (u128)(s >> i) ^ (a << (127 - i)) ^ (a >> (i * 5)));
    printf("%d%d%d%d %a %a %lld\n", s < t, a < b, s == t, a >= b, (double)s, (double)a, (long long)(i128)(double)(int64_t)s);
    print("from double", (u128)(i128)((double)s / 3));
  }
}
