/* SSE2 on integers: sums of absolute differences, products of 16-bit lanes, shuffles and saturation. */
#include "kernel.h"

#include <emmintrin.h>

#define LENGTH 16384

static KEEP uint64_t differences(const uint8_t *a, const uint8_t *b, int length) {
  __m128i sum = _mm_setzero_si128();
  for (int i = 0; i < length; i += 16) {
    __m128i x = _mm_loadu_si128((const __m128i *)(a + i)), y = _mm_loadu_si128((const __m128i *)(b + i));
    sum = _mm_add_epi64(sum, _mm_sad_epu8(x, y));
  }
  return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi64(sum, _mm_unpackhi_epi64(sum, sum)));
}

static KEEP void blend(uint8_t *a, const uint8_t *b, int length) {
  const __m128i zero = _mm_setzero_si128(), factor = _mm_set1_epi16(77);
  for (int i = 0; i < length; i += 16) {
    __m128i x = _mm_loadu_si128((const __m128i *)(a + i)), y = _mm_loadu_si128((const __m128i *)(b + i));
    __m128i low = _mm_mullo_epi16(_mm_unpacklo_epi8(x, zero), factor);
    __m128i high = _mm_mullo_epi16(_mm_unpackhi_epi8(x, zero), factor);
    low = _mm_srli_epi16(_mm_add_epi16(low, _mm_slli_epi16(_mm_unpacklo_epi8(y, zero), 6)), 7);
    high = _mm_srli_epi16(_mm_add_epi16(high, _mm_slli_epi16(_mm_unpackhi_epi8(y, zero), 6)), 7);
    __m128i mixed = _mm_packus_epi16(low, high);
    __m128i above = _mm_cmpgt_epi8(mixed, y);
    mixed = _mm_or_si128(_mm_and_si128(above, mixed), _mm_andnot_si128(above, _mm_adds_epu8(mixed, y)));
    _mm_storeu_si128((__m128i *)(a + i), _mm_shuffle_epi32(mixed, _MM_SHUFFLE(2, 3, 0, 1)));
  }
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 1000);
  static uint8_t a[LENGTH + 16], b[LENGTH + 16];
  for (int i = 0; i < LENGTH + 16; i++) {
    a[i] = (uint8_t)(random32() >> 24);
    b[i] = (uint8_t)(random32() >> 24);
  }
  uint64_t sum = 0;
  for (uint64_t r = 0; r < repetitions; r++) {
    sum += differences(a, b + 1 + r % 15, LENGTH);
    blend(a, b + r % 16, LENGTH);
  }
  return checksum(sum);
}
