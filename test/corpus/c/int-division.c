/* Quotients and remainders by variables and by constants, which compilers make products of. */
#include <stdint.h>
#include <stdio.h>

#define BY(D) \
  printf("%d: %d %d %u %u %lld %lld %llu %llu\n", D, s / D, s % D, u / D##u, u % D##u, (long long)sl / D, \
         (long long)sl % D, (unsigned long long)ul / D, (unsigned long long)ul % D)

int main(void) {
  volatile int32_t values[] = {INT32_MIN, -1000003, -7, -1, 0, 1, 6, 99999, INT32_MAX};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    int32_t s = values[i];
    uint32_t u = (uint32_t)s;
    int64_t sl = (int64_t)s * 0x123456789ll;
    uint64_t ul = (uint64_t)sl;
    BY(1); BY(2); BY(3); BY(5); BY(7); BY(10); BY(13); BY(60); BY(100); BY(641); BY(1000); BY(65537); BY(1000000007);
    for (int d = -9; d <= 9; d += 3)
      if (d != 0 && s != INT32_MIN) printf("%d %d %lld;", s / d, s % d, (long long)(sl / d));
    printf("%d %d\n", (int8_t)s / 3, (uint16_t)s % 7);
  }
}
