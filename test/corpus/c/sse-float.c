/* SSE and SSE2 floating-point intrinsics: scalar and packed, comparisons, conversions, shuffles. */
#include <emmintrin.h>
#include <math.h>
#include <stdio.h>

static void f(const char *name, __m128 x) {
  float v[4];
  _mm_storeu_ps(v, x);
  printf("%s %a %a %a %a\n", name, v[0], v[1], v[2], v[3]);
}
static void d(const char *name, __m128d x) {
  double v[2];
  _mm_storeu_pd(v, x);
  printf("%s %a %a\n", name, v[0], v[1]);
}
static void n(const char *name, __m128i x) {
  int v[4];
  _mm_storeu_si128((__m128i *)v, x);
  printf("%s %d %d %d %d\n", name, v[0], v[1], v[2], v[3]);
}

int main(void) {
  volatile float seed = 1.25f;
  __m128 a = _mm_set_ps(seed, -2.5f, 1e10f, 0.1f), b = _mm_set_ps(3, seed * 3, -1e-3f, 0.7f);
  __m128d x = _mm_set_pd(seed, -1e15), y = _mm_set_pd(0.3, 2.5);
#define F2(F) f(#F, F(a, b))
#define D2(F) d(#F, F(x, y))
  F2(_mm_add_ps); F2(_mm_sub_ss); F2(_mm_mul_ps); F2(_mm_div_ps); F2(_mm_min_ps); F2(_mm_max_ss); F2(_mm_unpacklo_ps); F2(_mm_unpackhi_ps);
  F2(_mm_movehl_ps); F2(_mm_movelh_ps); F2(_mm_move_ss); F2(_mm_andnot_ps); F2(_mm_xor_ps);
  f("sqrt", _mm_sqrt_ps(b)); f("shuffle", _mm_shuffle_ps(a, b, 0x6c)); f("sqrt_ss", _mm_sqrt_ss(b));
  D2(_mm_add_pd); D2(_mm_sub_sd); D2(_mm_mul_pd); D2(_mm_div_pd); D2(_mm_min_sd); D2(_mm_max_pd); D2(_mm_unpackhi_pd); D2(_mm_move_sd);
  d("sqrt", _mm_sqrt_pd(y)); d("sqrt_sd", _mm_sqrt_sd(x, y)); d("shuffle", _mm_shuffle_pd(x, y, 1));
  printf("%x %x %x %x %x\n", _mm_movemask_ps(_mm_cmplt_ps(a, b)), _mm_movemask_ps(_mm_cmpneq_ps(a, a)), _mm_movemask_pd(_mm_cmpnle_pd(x, y)),
         _mm_movemask_ps(_mm_cmpunord_ps(a, _mm_set1_ps(NAN))), _mm_movemask_pd(_mm_cmpord_sd(x, y)));
  printf("%d%d%d%d%d%d\n", _mm_comieq_ss(a, b), _mm_comilt_ss(a, b), _mm_ucomige_sd(x, y), _mm_comineq_sd(x, x), _mm_ucomigt_ss(b, a), _mm_comile_sd(x, y));
  n("cvtps", _mm_cvtps_epi32(a)); n("cvttps", _mm_cvttps_epi32(b)); n("cvtpd", _mm_cvtpd_epi32(x)); n("cvttpd", _mm_cvttpd_epi32(y));
  f("cvtepi32", _mm_cvtepi32_ps(_mm_set_epi32(1, -16777217, 3, 0x7fffffff))); d("cvtps_pd", _mm_cvtps_pd(a)); f("cvtpd_ps", _mm_cvtpd_ps(x));
  d("cvtepi32_pd", _mm_cvtepi32_pd(_mm_set1_epi32(-7))); f("cvtsi", _mm_cvtsi64_ss(a, 1234567890123)); d("cvtsi64", _mm_cvtsi64_sd(x, -5));
  printf("%d %d %lld %lld\n", _mm_cvtss_si32(a), _mm_cvttsd_si32(y), _mm_cvtsd_si64(x), _mm_cvttss_si64(b));
}
