/* corpus: not:clang-O0,clang-O2,musl */
/* MMX beside x87. */
#include <mmintrin.h>
#include <stdio.h>

static unsigned long long bits(__m64 x) { return (unsigned long long)_mm_cvtm64_si64(x); }

int main(void) {
  volatile long long seed = 0x0102030405060708;
  __m64 a = _mm_cvtsi64_m64(seed), b = _mm_set_pi16(300, -5, 32767, -32768);
  unsigned long long sum = 0;
  for (int i = 0; i < 20; i++) {
    a = _mm_add_pi8(a, b), b = _mm_subs_pi16(b, a);
    a = _mm_xor_si64(a, _mm_madd_pi16(a, b)), b = _mm_unpackhi_pi8(b, a);
    sum = sum * 31 + bits(_mm_packs_pi16(a, b)) + bits(_mm_mulhi_pi16(a, b)) + bits(_mm_slli_si64(a, 7)) + bits(_mm_cmpgt_pi16(a, b)) + bits(_mm_sra_pi16(a, _mm_cvtsi32_si64(3)));
  }
  unsigned long long last = bits(a);
  _mm_empty();
  long double x = 1;
  for (int i = 1; i < 20; i++) x = x * 1.25L + i;
  printf("%llx %llx %.18Lg\n", sum, last, x);
}
