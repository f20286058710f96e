/* strlen, memchr and case folding by SSE2, as libraries have them. */
#include <emmintrin.h>
#include <stdio.h>
#include <string.h>

static size_t length(const char *s) {
  const __m128i zero = _mm_setzero_si128();
  const char *p = (const char *)((size_t)s & ~15ul);
  unsigned mask = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_load_si128((const __m128i *)p), zero)) >> ((size_t)s & 15) << ((size_t)s & 15);
  while (mask == 0) p += 16, mask = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_load_si128((const __m128i *)p), zero));
  return (size_t)(p - s) + (size_t)__builtin_ctz(mask);
}
static void upper(char *p, int n) {
  for (int i = 0; i + 16 <= n; i += 16) {
    __m128i x = _mm_loadu_si128((__m128i *)(p + i));
    __m128i low = _mm_and_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8('a' - 1)), _mm_cmplt_epi8(x, _mm_set1_epi8('z' + 1)));
    _mm_storeu_si128((__m128i *)(p + i), _mm_sub_epi8(x, _mm_and_si128(low, _mm_set1_epi8(32))));
  }
}
static int count(const char *p, int n, char c) {
  __m128i sums = _mm_setzero_si128();
  for (int i = 0; i + 16 <= n; i += 16)
    sums = _mm_add_epi64(sums, _mm_sad_epu8(_mm_sub_epi8(_mm_setzero_si128(), _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(p + i)), _mm_set1_epi8(c))), _mm_setzero_si128()));
  return _mm_cvtsi128_si32(sums) + _mm_extract_epi16(sums, 4);
}

int main(void) {
  static char text[640] __attribute__((aligned(64)));
  for (int i = 0; i < 600; i++) text[i] = "The quick Brown fox; jumps over {the} Lazy dog. "[i % 48];
  int wrong = 0;
  for (int i = 0; i < 100; i++) wrong += length(text + i) != strlen(text + i);
  printf("%d %d %d\n", wrong, count(text + 1, 592, 'o'), count(text, 600, ' '));
  upper(text + 3, 560);
  puts(text);
}
