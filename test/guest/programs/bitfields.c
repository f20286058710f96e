/* Bit-fields of odd widths and signs, unions that pun, packed and aligned layouts. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct fields {
  unsigned a : 3, b : 7;
  signed c : 5;
  unsigned long long d : 41;
  signed e : 1;
  unsigned : 0;
  unsigned f : 11;
};
struct __attribute__((packed)) packed {
  char tag;
  uint32_t word;
  uint16_t half;
  uint64_t quad;
};
union pun {
  double d;
  float f[2];
  uint64_t u;
  uint8_t b[8];
};

int main(void) {
  struct fields x;
  memset(&x, 0, sizeof x);
  uint64_t digest = 0;
  for (unsigned i = 0; i < 50; i++) {
    x.a += i;
    x.b ^= i * 5;
    x.c -= 3;
    x.d = x.d * 2862933555777941757u + i;
    x.e = ~x.e;
    x.f = (unsigned)x.d ^ x.b;
    digest = digest * 31 + x.a + x.b + (unsigned)x.c + x.d + (unsigned)x.e + x.f;
  }
  printf("%zu %llx %u %u %d %llu %d %u\n", sizeof x, (unsigned long long)digest, x.a, x.b, x.c, (unsigned long long)x.d, x.e, x.f);
  struct packed p[3];
  for (int i = 0; i < 3; i++) p[i] = (struct packed){(char)('a' + i), 0x01020304u * (unsigned)(i + 1), (uint16_t)(i * 1000), digest >> i};
  unsigned char *raw = (unsigned char *)p;
  for (size_t i = 0; i < sizeof p; i++) printf("%02x", raw[i]);
  union pun u = {.d = -1.75};
  u.b[3] ^= 0x40;
  printf("\n%zu %g %016llx %g %d\n", offsetof(struct packed, quad), u.d, (unsigned long long)u.u, (double)u.f[1], u.b[7]);
  return 0;
}
