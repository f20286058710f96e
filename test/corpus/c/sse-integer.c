/* SSE2 integer intrinsics: saturation, packing, unpacking, shuffles, multiplications, masks, sums of differences. */
#include <emmintrin.h>
#include <stdio.h>

static unsigned long long sum;
static void fold(const char *name, __m128i x) {
  unsigned long long v[2];
  _mm_storeu_si128((__m128i *)v, x);
  sum = sum * 31 + v[0] * 7 + v[1];
  printf("%s %016llx %016llx\n", name, v[1], v[0]);
}
#define TWO(F) fold(#F, F(a, b))

int main(void) {
  volatile int seed = 0x12345;
  __m128i a = _mm_set_epi32(seed, -seed * 77, 0x7fff8000, -3), b = _mm_set_epi16(1, -1, 32767, -32768, (short)seed, 255, 256, -300);
  for (int i = 0; i < 2; i++) {
    TWO(_mm_adds_epi8); TWO(_mm_adds_epi16); TWO(_mm_adds_epu8); TWO(_mm_adds_epu16); TWO(_mm_subs_epi8); TWO(_mm_subs_epi16);
    TWO(_mm_subs_epu8); TWO(_mm_subs_epu16); TWO(_mm_packs_epi16); TWO(_mm_packs_epi32); TWO(_mm_packus_epi16); TWO(_mm_unpackhi_epi8);
    TWO(_mm_unpacklo_epi8); TWO(_mm_unpackhi_epi16); TWO(_mm_unpacklo_epi32); TWO(_mm_unpackhi_epi64); TWO(_mm_mulhi_epi16);
    TWO(_mm_mulhi_epu16); TWO(_mm_mullo_epi16); TWO(_mm_mul_epu32); TWO(_mm_madd_epi16); TWO(_mm_sad_epu8); TWO(_mm_avg_epu8);
    TWO(_mm_avg_epu16); TWO(_mm_max_epi16); TWO(_mm_min_epi16); TWO(_mm_max_epu8); TWO(_mm_min_epu8); TWO(_mm_cmpeq_epi8);
    TWO(_mm_cmpgt_epi8); TWO(_mm_cmpgt_epi16); TWO(_mm_cmplt_epi32); TWO(_mm_andnot_si128); TWO(_mm_sub_epi64); TWO(_mm_add_epi64);
    fold("shuffle", _mm_shuffle_epi32(a, 0x1b)); fold("shufflehi", _mm_shufflehi_epi16(a, 0x4e)); fold("shufflelo", _mm_shufflelo_epi16(b, 0x93));
    fold("slli", _mm_slli_epi32(a, 5)); fold("srai", _mm_srai_epi16(b, 3)); fold("srl", _mm_srl_epi64(a, _mm_cvtsi32_si128(seed & 31)));
    fold("sll", _mm_sll_epi16(a, _mm_cvtsi32_si128(17))); fold("bytes", _mm_srli_si128(a, 5)); fold("left", _mm_slli_si128(b, 3));
    fold("insert", _mm_insert_epi16(a, 99, 5));
    printf("%d %x %lld\n", _mm_extract_epi16(b, 2), _mm_movemask_epi8(a), _mm_cvtsi128_si64(b));
    __m128i t = a; a = _mm_xor_si128(b, _mm_set1_epi8(0x55)); b = t;
  }
  char out[16] = "................";
  _mm_maskmoveu_si128(_mm_set1_epi8('x'), a, out);
  printf("%llx %.16s\n", sum, out);
}
