/* Conversions between integers and floating point in all directions, in and out of range. */
#include <stdint.h>
#include <stdio.h>

int main(void) {
  volatile double values[] = {0, 0.9, -0.9, 1.5, -1.5, 127.5, 128, 255.9, 256, 32767.9, 65535.9, 2147483647, 4294967295.0, 1e15, -1e15,
                              9.2e18, 1.8e19};
  for (int i = 0; i < 17; i++) {
    double d = values[i];
    float f = (float)d;
    long double l = d;
    printf("%g: %d %lld %d %lld %d %lld", d, (int)(int64_t)d, (long long)d, (int)f, (long long)f, (int)l, (long long)l);
    if (d >= 0) printf(" %u %llu %llu %llu", (uint32_t)(uint64_t)d, (unsigned long long)d, (unsigned long long)f, (unsigned long long)l);
    printf(" %d %u\n", (int8_t)(int)d, (uint16_t)(int64_t)d);
  }
  volatile int64_t s[] = {0, 1, -1, 16777217, -16777217, 9007199254740993, INT64_MAX, INT64_MIN, 0x7fffffbfffffffff};
  for (int i = 0; i < 9; i++) {
    int64_t x = s[i];
    printf("%a %a %La | %a %a %La | %a %a\n", (float)x, (double)x, (long double)x, (float)(uint64_t)x, (double)(uint64_t)x,
           (long double)(uint64_t)x, (float)(int32_t)x, (double)(uint32_t)x);
  }
}
