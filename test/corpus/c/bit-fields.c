/* Bit fields, signed and unsigned, across units, packed, of long long, and their promotion. */
#include <stdio.h>
#include <string.h>

struct Plain {
  unsigned a : 3;
  int b : 5;
  unsigned c : 17;
  int d : 9;
  unsigned long long e : 41;
  long long f : 23;
  _Bool g : 1;
  unsigned : 0;
  signed char h : 4;
};
struct __attribute__((packed)) Packed {
  unsigned a : 5;
  unsigned long long b : 37;
  int c : 11;
  unsigned d : 1;
};

int main(void) {
  struct Plain p;
  struct Packed q;
  memset(&p, 0, sizeof p);
  memset(&q, 0, sizeof q);
  for (volatile int i = 0; i < 30; i++) {
    p.a += (unsigned)i; p.b -= i; p.c = p.c * 5 + p.a; p.d ^= p.b * 3; p.e = p.e * 7 + (unsigned)p.d; p.f -= (long long)p.e;
    p.g = i & 2; p.h++;
    q.a = ~q.a; q.b += 0x123456789 * (unsigned long long)i; q.c--; q.d ^= 1;
    printf("%u %d %u %d %llu %lld %d %d | %u %llu %d %u | %d\n", p.a, p.b, p.c, p.d, (unsigned long long)p.e,
           (long long)p.f, p.g, p.h, q.a, (unsigned long long)q.b, q.c, q.d, p.a - 8 < 0);
  }
  unsigned char bytes[sizeof p + sizeof q];
  memcpy(bytes, &p, sizeof p);
  memcpy(bytes + sizeof p, &q, sizeof q);
  for (unsigned i = 0; i < sizeof bytes; i++) printf("%02x", bytes[i]);
  printf(" %zu %zu\n", sizeof p, sizeof q);
}
