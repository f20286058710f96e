/* corpus: -maes -mpclmul -msse4.1 not:musl,clang-O0 */
/* AES rounds and carry-less products. */
#include <stdio.h>
#include <wmmintrin.h>

static void show(__m128i x) {
  unsigned long long v[2];
  _mm_storeu_si128((__m128i *)v, x);
  printf("%016llx%016llx\n", v[1], v[0]);
}

int main(void) {
  __m128i s = _mm_set_epi64x(0x0123456789abcdef, 0x1122334455667788), k = _mm_set_epi64x(-7, 0x5a5a5a5a);
  for (int i = 0; i < 5; i++) {
    s = _mm_aesenc_si128(s, k), show(s);
    k = _mm_xor_si128(k, _mm_aeskeygenassist_si128(k, 0x1b)), show(k);
  }
  show(_mm_aesenclast_si128(s, k)), show(_mm_aesdec_si128(s, k)), show(_mm_aesdeclast_si128(s, k)), show(_mm_aesimc_si128(k));
  show(_mm_clmulepi64_si128(s, k, 0)), show(_mm_clmulepi64_si128(s, k, 0x11)), show(_mm_clmulepi64_si128(s, s, 0x10));
}
