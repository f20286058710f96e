/* Every rounding with denormals kept or not and results flushed or not: sixteen modes of MXCSR, in turn and again. */
#include <emmintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits(double x) {
  uint64_t result;
  memcpy(&result, &x, sizeof result);
  return result;
}

static void run(int mode, uint64_t *hash) {
  static const double values[] = {1, 3, -1, 0x1p-1060, -0x1p-1074, 0x1.fffffffffffffp1023, 0x1p-1022, 1e-160};
  volatile double x, y;
  _mm_setcsr(0x1f80 | (mode & 3) << 13 | (mode & 4 ? 0x40 : 0) | (mode & 8 ? 0x8000 : 0));
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      x = values[i];
      y = values[j];
      double results[] = {x + y, x - y, x * y, x / y, (float)x};
      for (int k = 0; k < 5; k++)
        if (results[k] == results[k]) *hash = (*hash ^ bits(results[k])) * UINT64_C(1099511628211);
    }
}

int main(void) {
  for (int round = 0; round < 3; round++)
    for (int mode = 0; mode < 16; mode++) {
      uint64_t hash = UINT64_C(14695981039346656037);
      run(mode, &hash);
      unsigned raised = _mm_getcsr() & 0x3f;
      _mm_setcsr(0x1f80);
      if (round != 1) printf("%2d %016llx %02x\n", mode, (unsigned long long)hash, raised);
    }
}
