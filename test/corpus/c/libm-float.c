/* The float versions over a grid, folded into checksums. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define FOLD(F, LOW, HIGH)                                              \
  do {                                                                  \
    uint64_t hash = 14695981039346656037u;                              \
    for (int i = 0; i < 300; i++) {                                     \
      float x = (LOW) + ((HIGH) - (LOW)) * (float)i / 299, y = F(x);    \
      uint32_t bits;                                                    \
      memcpy(&bits, &y, 4);                                             \
      hash = (hash ^ bits) * 1099511628211u;                            \
    }                                                                   \
    printf(#F " %016llx\n", (unsigned long long)hash);                  \
  } while (0)

int main(void) {
  FOLD(sinf, -100, 100); FOLD(cosf, -100, 100); FOLD(tanf, -20, 20); FOLD(expf, -80, 80); FOLD(logf, 0.001f, 1000);
  FOLD(sqrtf, 0, 1e10f); FOLD(cbrtf, -1000, 1000); FOLD(atanf, -9, 9); FOLD(asinf, -1, 1); FOLD(acosf, -1, 1);
  FOLD(sinhf, -9, 9); FOLD(coshf, -9, 9); FOLD(tanhf, -3, 3); FOLD(erff, -3, 3); FOLD(tgammaf, 0.1f, 30);
  FOLD(lgammaf, 0.1f, 300); FOLD(exp2f, -30, 30); FOLD(log2f, 0.01f, 9); FOLD(log10f, 0.01f, 9); FOLD(expm1f, -2, 2);
  FOLD(log1pf, -0.9f, 9); FOLD(asinhf, -9, 9); FOLD(acoshf, 1, 9); FOLD(atanhf, -0.99f, 0.99f); FOLD(roundf, -9, 9);
}
