/* Loops with restrict and volatile, aliasing through char, unions, and overlapping memory. */
#include <stdio.h>
#include <string.h>

static void scale(int *restrict to, const int *restrict from, int n) { for (int i = 0; i < n; i++) to[i] = from[i] * 3 + 1; }
static void shift(int *to, const int *from, int n) { for (int i = 0; i < n; i++) to[i] = from[i] + i; }
static unsigned as_bits(float f) { union { float f; unsigned u; } u = {f}; return u.u; }

int main(void) {
  int a[64], b[64];
  for (int i = 0; i < 64; i++) a[i] = i * i;
  scale(b, a, 64);
  shift(a + 1, a, 63);
  shift(b, b + 3, 61);
  unsigned sum = 0;
  for (int i = 0; i < 64; i++) sum = sum * 31 + (unsigned)(a[i] ^ b[i]);
  volatile int v = 1;
  for (int i = 0; i < 20; i++) v = v * 3 + (v & 4);
  unsigned char *bytes = (unsigned char *)a;
  for (unsigned i = 0; i < sizeof a; i += 5) bytes[i] ^= (unsigned char)i;
  for (int i = 0; i < 64; i++) sum += (unsigned)a[i];
  memmove(bytes + 3, bytes, 200);
  memmove(bytes, bytes + 7, 200);
  for (unsigned i = 0; i < 250; i++) sum = sum * 17 + bytes[i];
  printf("%u %d %x %x\n", sum, v, as_bits(1.5f), as_bits(-0.f));
}
