/* Gradual underflow, and flushing to zero with MXCSR. */
#include <float.h>
#include <stdio.h>
#include <xmmintrin.h>
#include <pmmintrin.h>

static void walk(const char *title) {
  volatile double d = DBL_MIN;
  volatile float f = FLT_MIN;
  volatile long double l = LDBL_MIN;
  puts(title);
  for (int i = 0; i < 8; i++) {
    printf("%a %a %La\n", d, f, l);
    d = d / 3; f = f / 3; l = l / 3;
  }
  volatile double t = DBL_TRUE_MIN, u = 1e-310;
  printf("%a %a %a %a %d\n", t + u, t * 0.5, u * 1e10, u - t, t > 0);
}

int main(void) {
  walk("gradual");
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
  walk("flush to zero");
  _mm_setcsr((_mm_getcsr() & ~0x8000u) | 0x40);
  walk("denormals are zero");
  _mm_setcsr(_mm_getcsr() | 0x8000);
  walk("both");
}
