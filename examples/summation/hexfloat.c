#include "hexfloat.h"

#include "ieee.h"

static char *append(char *out, const char *text) {
  while (*text != 0) *out++ = *text++;
  return out;
}

static char *append_decimal(char *out, unsigned value) {
  if (value >= 10) out = append_decimal(out, value / 10);
  *out++ = (char)('0' + value % 10);
  return out;
}

unsigned format_hex(double value, char *out) {
  char *start = out;
  uint64_t bits = bits_of(value);
  uint64_t fraction = bits << 12; /* the next digit is in the uppermost four bits */
  int exponent = (int)exponent_of(value) - 1023;

  if (bits >> 63) *out++ = '-';
  if (exponent == 1024) {
    out = append(out, fraction != 0 ? "nan" : "inf");
  } else {
    if (exponent == -1023 && fraction == 0) {
      exponent = 0;
      out = append(out, "0x0");
    } else {
      if (exponent == -1023) { /* subnormal: normalise, as musl does and glibc does not */
        exponent = -1022;
        while ((fraction >> 63) == 0) {
          fraction <<= 1;
          exponent--;
        }
        fraction <<= 1;
        exponent--;
      }
      out = append(out, "0x1");
    }
    if (fraction != 0) *out++ = '.';
    for (; fraction != 0; fraction <<= 4) *out++ = "0123456789abcdef"[fraction >> 60];
    *out++ = 'p';
    *out++ = exponent < 0 ? '-' : '+';
    out = append_decimal(out, (unsigned)(exponent < 0 ? -exponent : exponent));
  }
  *out = 0;
  return (unsigned)(out - start);
}
