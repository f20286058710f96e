/* corpus: not:clang-O0,clang-O2 */
/* __builtin_*_overflow of every width and of mixed widths. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#define TRY(T, OP, A, B)                                            \
  do {                                                              \
    T result;                                                       \
    int over = __builtin_##OP##_overflow((T)(A), (T)(B), &result); \
    printf(#T " " #OP " %d %lld\n", over, (long long)result);       \
  } while (0)
#define ALL(T, A, B) TRY(T, add, A, B); TRY(T, sub, A, B); TRY(T, mul, A, B)

int main(void) {
  volatile long long values[] = {0, 1, -1, 127, -128, 300, INT_MAX, INT_MIN, LLONG_MAX, LLONG_MIN, 0x100000001};
  for (int i = 0; i < 11; i++)
    for (int j = i; j < 11; j += 2) {
      long long a = values[i], b = values[j];
      ALL(int8_t, a, b); ALL(uint8_t, a, b); ALL(int16_t, a, b); ALL(int32_t, a, b);
      ALL(uint32_t, a, b); ALL(int64_t, a, b); ALL(uint64_t, a, b);
      int narrow;
      printf("mixed %d", __builtin_add_overflow(a, b, &narrow));
      printf(" %d %d\n", narrow, __builtin_mul_overflow_p(a, b, (int16_t)0));
    }
}
