/* corpus: only:v3 */
/* AVX2 and FMA intrinsics: permutes, gathers, masks, shifts by vectors, fused products, conversions. */
#include <immintrin.h>
#include <stdio.h>

static void show(const char *name, __m256i x) {
  unsigned long long v[4];
  _mm256_storeu_si256((__m256i *)v, x);
  printf("%s %016llx %016llx %016llx %016llx\n", name, v[3], v[2], v[1], v[0]);
}
static void reals(const char *name, __m256d x) {
  double v[4];
  _mm256_storeu_pd(v, x);
  printf("%s %a %a %a %a\n", name, v[0], v[1], v[2], v[3]);
}

int main(void) {
  volatile int seed = 77;
  int table[32];
  for (int i = 0; i < 32; i++) table[i] = i * i * seed - 500;
  __m256i a = _mm256_loadu_si256((const __m256i *)(table + 3)), b = _mm256_set_epi32(3, 31, 7, 0, 12, 1, 5, 33);
  show("add", _mm256_add_epi32(a, b)); show("sub", _mm256_sub_epi8(a, b)); show("mullo", _mm256_mullo_epi32(a, b)); show("shuffle", _mm256_shuffle_epi8(a, b));
  show("permute", _mm256_permutevar8x32_epi32(a, b)); show("permute4", _mm256_permute4x64_epi64(a, 0x39)); show("permute2", _mm256_permute2x128_si256(a, b, 0x21));
  show("unpack", _mm256_unpackhi_epi16(a, b)); show("pack", _mm256_packs_epi32(a, b)); show("alignr", _mm256_alignr_epi8(a, b, 3)); show("sllv", _mm256_sllv_epi32(a, b));
  show("srav", _mm256_srav_epi32(a, b)); show("srlv", _mm256_srlv_epi64(a, b)); show("blend", _mm256_blend_epi32(a, b, 0xa5)); show("gather", _mm256_i32gather_epi32(table, _mm256_and_si256(b, _mm256_set1_epi32(31)), 4));
  show("masked", _mm256_maskload_epi32(table, _mm256_cmpgt_epi32(b, _mm256_set1_epi32(5)))); show("widen", _mm256_cvtepi16_epi32(_mm256_castsi256_si128(a))); show("sad", _mm256_sad_epu8(a, b));
  show("broadcast", _mm256_broadcastw_epi16(_mm256_extracti128_si256(a, 1))); show("insert", _mm256_inserti128_si256(a, _mm_set1_epi32(9), 0)); show("cmp", _mm256_cmpeq_epi8(a, b));
  printf("%x %d %d\n", _mm256_movemask_epi8(a), _mm256_testz_si256(a, b), _mm256_extract_epi32(a, 5));
  __m256d x = _mm256_cvtepi32_pd(_mm256_castsi256_si128(a)), y = _mm256_set_pd(0.1, -3, 1e10, 7);
  reals("fma", _mm256_fmadd_pd(x, y, x)); reals("fnma", _mm256_fnmsub_pd(x, y, y)); reals("alternating", _mm256_fmaddsub_pd(x, y, x)); reals("div", _mm256_div_pd(x, y));
  reals("sqrt", _mm256_sqrt_pd(_mm256_mul_pd(x, x))); reals("hadd", _mm256_hadd_pd(x, y)); reals("permute", _mm256_permute_pd(y, 5)); reals("round", _mm256_round_pd(y, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC));
  reals("blendv", _mm256_blendv_pd(x, y, _mm256_cmp_pd(x, y, _CMP_LT_OQ))); reals("max", _mm256_max_pd(x, y));
  _mm256_zeroupper();
  float f[8], g[8];
  for (int i = 0; i < 8; i++) f[i] = (float)i * 0.3f - 1;
  _mm256_storeu_ps(g, _mm256_cvtph_ps(_mm256_cvtps_ph(_mm256_loadu_ps(f), 0)));
  for (int i = 0; i < 8; i++) printf("%a ", g[i]);
  printf("\n%llx %llx %u %llx %llx %x\n", (unsigned long long)_pext_u64(0x123456789abcdefull, 0xff00ff00ff00ff), (unsigned long long)_pdep_u64(0xabcd, 0x1111111111111111), _bzhi_u32(0xffff, 5),
         (unsigned long long)_blsr_u64(0x50), (unsigned long long)_andn_u64(0xf0, 0xff), _lzcnt_u32(0x10) + _tzcnt_u32(0x100));
}
