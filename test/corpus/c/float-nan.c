/* NaNs: payloads, signs, propagation, comparisons, quiet and signalling. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static double from(uint64_t bits) { double d; memcpy(&d, &bits, 8); return d; }
static uint64_t bits(double d) { uint64_t b; memcpy(&b, &d, 8); return b; }
static float fromf(uint32_t b) { float f; memcpy(&f, &b, 4); return f; }
static uint32_t bitsf(float f) { uint32_t b; memcpy(&b, &f, 4); return b; }

int main(void) {
  volatile double q = from(0x7ff8000000000123), n = from(0xfff8000000000456), s = from(0x7ff0000000000789), one = 1, inf = INFINITY;
#define SHOW(E) printf(#E " %016llx\n", (unsigned long long)bits(E))
  SHOW(q + one); SHOW(one + q); SHOW(q + n); SHOW(n + q); SHOW(s + one); SHOW(s + q); SHOW(q * s); SHOW(n - s);
  SHOW(inf - inf); SHOW(inf * 0 * one); SHOW(sqrt(-one)); SHOW(sqrt(n)); SHOW(-q); SHOW(fabs(n)); SHOW(copysign(q, -1));
  SHOW(fmax(q, one)); SHOW(fmin(one, n)); SHOW(q > one ? q : one); SHOW(q < one ? q : one);
  volatile float fq = fromf(0x7fc00011), fs = fromf(0xff800022);
#define SHOWF(E) printf(#E " %08x\n", bitsf(E))
  SHOWF(fq + 1); SHOWF(fs * 2); SHOWF(fq / fs); SHOWF((float)q); SHOWF((float)n); SHOW((double)fq); SHOW((double)fs);
  printf("%d%d%d%d%d%d %d%d%d%d\n", q == q, q != q, q < one, q > one, q <= q, q >= n, isnan(s), isunordered(q, one), isgreater(q, one),
         islessgreater(one, n));
  printf("%f %e %g %a %F\n", q, n, q, n, q);
  printf("%ld %d\n", (long)q, (int)fq);
}
