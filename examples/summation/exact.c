#include "exact.h"

#include "ieee.h"

#define FRACTION UINT64_C(0x000fffffffffffff)

static void add_limb(struct exact *sum, size_t index, uint64_t value) {
  while (value != 0 && index < EXACT_LIMBS) {
    sum->limb[index] += value;
    value = sum->limb[index] < value;
    index++;
  }
}

static void subtract_limb(struct exact *sum, size_t index, uint64_t value) {
  while (value != 0 && index < EXACT_LIMBS) {
    uint64_t before = sum->limb[index];
    sum->limb[index] = before - value;
    value = before < value;
    index++;
  }
}

void exact_add(struct exact *sum, double value) {
  uint64_t bits = bits_of(value);
  unsigned exponent = exponent_of(value);
  uint64_t significand = (bits & FRACTION) | (exponent != 0 ? FRACTION + 1 : 0);
  unsigned shift = exponent != 0 ? exponent - 1 : 0;
  uint64_t low = significand << shift % 64;
  uint64_t high = shift % 64 != 0 ? significand >> (64 - shift % 64) : 0;
  void (*apply)(struct exact *, size_t, uint64_t) = bits >> 63 ? subtract_limb : add_limb;
  apply(sum, shift / 64, low);
  apply(sum, shift / 64 + 1, high);
}

static unsigned bit_at(const struct exact *number, size_t bit) { return number->limb[bit / 64] >> bit % 64 & 1; }

double exact_round(const struct exact *sum) {
  struct exact magnitude = *sum;
  uint64_t sign = sum->limb[EXACT_LIMBS - 1] & UINT64_C(1) << 63;
  if (sign != 0) {
    for (size_t i = 0; i < EXACT_LIMBS; i++) magnitude.limb[i] = ~magnitude.limb[i];
    add_limb(&magnitude, 0, 1);
  }

  size_t length = EXACT_LIMBS * 64;
  while (length > 0 && bit_at(&magnitude, length - 1) == 0) length--;

  /* The lowest bit kept: subnormal numbers and those with up to 53 bits keep all. */
  size_t lowest = length > 53 ? length - 53 : 0;
  uint64_t significand = 0;
  for (size_t bit = length; bit > lowest; bit--) significand = significand << 1 | bit_at(&magnitude, bit - 1);

  if (lowest > 0 && bit_at(&magnitude, lowest - 1) != 0) {
    int above_half = 0;
    for (size_t bit = 0; bit + 1 < lowest; bit++) above_half |= (int)bit_at(&magnitude, bit);
    if (above_half || (significand & 1) != 0) significand++;
  }

  /* A significand with its leading bit carries 1 into the exponent field; so does one that was rounded up to 2^53. */
  if (lowest >= EXPONENTS - 2 || (lowest == EXPONENTS - 3 && significand > 2 * FRACTION + 1)) {
    return double_of(sign | UINT64_C(0x7ff0000000000000));
  }
  return double_of(sign | (((uint64_t)lowest << 52) + significand));
}
