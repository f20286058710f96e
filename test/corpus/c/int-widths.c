/* Sums, differences and products of every width wrap as the types say. */
#include <inttypes.h>
#include <stdio.h>

#define EACH(T, NAME, FORMAT)                                                        \
  static void NAME(void) {                                                           \
    volatile T values[] = {0, 1, 2, 3, 0x7f, 0x80, 0xff, (T)0x7fff, (T)0x8000,       \
                           (T)0x7fffffff, (T)0x80000000, (T)~0ull, (T)(~0ull >> 1)}; \
    T add = 0, sub = 0, mul = 1, mix = 0;                                            \
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {                  \
      add = (T)(add + values[i]);                                                    \
      sub = (T)(sub - values[i] * 3);                                                \
      mul = (T)(mul * (values[i] | 1));                                              \
      mix = (T)((mix ^ values[i]) + (mix & values[i]) * 5 + ~(mix | values[i]));     \
    }                                                                                \
    printf(#T " %" FORMAT " %" FORMAT " %" FORMAT " %" FORMAT "\n", add, sub, mul, mix); \
  }
EACH(int8_t, i8, PRId8)
EACH(uint8_t, u8, PRIu8)
EACH(int16_t, i16, PRId16)
EACH(uint16_t, u16, PRIu16)
EACH(uint32_t, u32, PRIu32)
EACH(uint64_t, u64, PRIu64)

int main(void) {
  i8(), u8(), i16(), u16(), u32(), u64();
}
