/* Conversions between integer types: truncation, sign and zero extension, through memory and registers. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static volatile int64_t source;

int main(void) {
  int64_t values[] = {0, 1, -1, 0x7f, 0x80, 0xff, 0x100, -0x80, -0x81, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000,
                      0xffffffff, 0x100000000, INT64_MAX, INT64_MIN};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    source = values[i];
    int8_t c = (int8_t)source;
    uint8_t uc = (uint8_t)source;
    int16_t s = (int16_t)source;
    uint16_t us = (uint16_t)source;
    int32_t n = (int32_t)source;
    uint32_t un = (uint32_t)source;
    bool truth = (bool)source;
    printf("%d %u %d %u %d %u %d | %d %d %lld %llu %lld %llu | %d %d\n", c, uc, s, us, n, un, truth, (int16_t)c, (int16_t)uc,
           (long long)c, (unsigned long long)c, (long long)un, (unsigned long long)n, (int)(int8_t)us, (uint8_t)s < c);
    printf("%d%d%d%d%d%d\n", c < uc, (unsigned)n > un, n < (int64_t)un, s == us, (uint64_t)source > (uint64_t)n, source > c);
  }
}
