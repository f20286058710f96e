/* _addcarry, _subborrow and compiler-made carry chains over wide numbers. */
#include <stdint.h>
#include <stdio.h>
#include <x86intrin.h>

#define N 12
static unsigned char add(unsigned long long *a, const unsigned long long *b) { unsigned char c = 0; for (int i = 0; i < N; i++) c = _addcarry_u64(c, a[i], b[i], &a[i]); return c; }
static unsigned char sub(unsigned long long *a, const unsigned long long *b) { unsigned char c = 0; for (int i = 0; i < N; i++) c = _subborrow_u64(c, a[i], b[i], &a[i]); return c; }
static void mul(unsigned long long *r, const unsigned long long *a, const unsigned long long *b) {
  for (int i = 0; i < N; i++) {
    unsigned __int128 carry = 0;
    for (int j = 0; i + j < N; j++) carry += (unsigned __int128)a[i] * b[j] + r[i + j], r[i + j] = (unsigned long long)carry, carry >>= 64;
  }
}

int main(void) {
  unsigned long long a[N], b[N], r[N] = {0};
  for (int i = 0; i < N; i++) a[i] = ~0ull / (unsigned)(i + 1), b[i] = 0x0123456789abcdefull * (unsigned)i + 1;
  int carries = 0;
  for (int i = 0; i < 200; i++) carries += add(a, b) * 2 + sub(b, a);
  mul(r, a, b);
  unsigned d;
  unsigned char c = _addcarry_u32(1, 0xffffffff, 0, &d);
  printf("%d %u %d\n", carries, d, c);
  for (int i = 0; i < N; i++) printf("%016llx %016llx %016llx\n", a[i], b[i], r[i]);
}
