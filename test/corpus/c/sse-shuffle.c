/* corpus: only:v2,v3 */
/* SSSE3 and SSE4 intrinsics: shuffles, blends, horizontal sums, extensions, rounding, dot products, strings. */
#include <nmmintrin.h>
#include <stdio.h>

static void show(const char *name, __m128i x) {
  unsigned long long v[2];
  _mm_storeu_si128((__m128i *)v, x);
  printf("%s %016llx %016llx\n", name, v[1], v[0]);
}
#define TWO(F) show(#F, F(a, b))
#define ONE(F) show(#F, F(a))

int main(void) {
  volatile int seed = 0x1234567;
  __m128i a = _mm_set_epi32(seed, -seed * 3, 0x80007fff, -2), b = _mm_set_epi8(15, -1, 3, 0, 7, 7, -128, 12, 9, 1, 2, 14, 13, 5, 4, 6);
  TWO(_mm_shuffle_epi8); TWO(_mm_hadd_epi16); TWO(_mm_hadd_epi32); TWO(_mm_hsubs_epi16); TWO(_mm_maddubs_epi16); TWO(_mm_mulhrs_epi16); TWO(_mm_sign_epi8);
  TWO(_mm_sign_epi32); TWO(_mm_mullo_epi32); TWO(_mm_mul_epi32); TWO(_mm_packus_epi32); TWO(_mm_min_epi8); TWO(_mm_max_epu16); TWO(_mm_max_epi32); TWO(_mm_min_epu32);
  TWO(_mm_cmpeq_epi64); TWO(_mm_cmpgt_epi64); ONE(_mm_abs_epi8); ONE(_mm_abs_epi32); ONE(_mm_cvtepi8_epi16); ONE(_mm_cvtepu8_epi32); ONE(_mm_cvtepi16_epi64); ONE(_mm_minpos_epu16);
  show("alignr", _mm_alignr_epi8(a, b, 5)); show("blend", _mm_blend_epi16(a, b, 0x5a)); show("blendv", _mm_blendv_epi8(a, b, a)); show("mpsadbw", _mm_mpsadbw_epu8(a, b, 5));
  show("insert", _mm_insert_epi64(_mm_insert_epi8(a, 77, 3), 5, 1));
  printf("%d %d %lld %d %d\n", _mm_extract_epi8(a, 9), _mm_extract_epi32(b, 2), (long long)_mm_extract_epi64(a, 1), _mm_testz_si128(a, b), _mm_testc_si128(a, a));
  __m128 f = _mm_set_ps(1.5f, -2.5f, 0.4f, 7.6f);
  __m128d d = _mm_set_pd(-1.5, 2.7);
  float v[4];
  _mm_storeu_ps(v, _mm_add_ps(_mm_round_ps(f, 0), _mm_add_ps(_mm_floor_ps(f), _mm_ceil_ps(f)))); printf("%g %g %g %g ", v[0], v[1], v[2], v[3]);
  printf("%g %g %g\n", _mm_cvtss_f32(_mm_dp_ps(f, f, 0x71)), _mm_cvtsd_f64(_mm_round_sd(d, d, 3)), _mm_cvtss_f32(_mm_insert_ps(f, f, 0xc2)));
  const char *text = "find the, first comma";
  printf("%d %d %x %x %llx\n", _mm_cmpistri(_mm_loadu_si128((const __m128i *)",."), _mm_loadu_si128((const __m128i *)text), 0), _mm_cmpistrc(a, b, 0x18), _mm_crc32_u32(1, 0x12345678), _mm_crc32_u8(7, 9), _mm_crc32_u64(3, 0x123456789abcdefull));
  printf("%d %lld\n", _mm_popcnt_u32(0xf0f1), (long long)_mm_popcnt_u64(~0ull >> 7));
}
