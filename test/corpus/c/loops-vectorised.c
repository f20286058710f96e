/* Loops that compilers vectorise: reductions, saxpy, gathers, strides, conditionals, of every element type. */
#include <stdint.h>
#include <stdio.h>

#define N 517
#define EACH(T, NAME)                                                                             \
  static void NAME(void) {                                                                        \
    static T a[N], b[N], c[N];                                                                    \
    static int idx[N];                                                                            \
    for (int i = 0; i < N; i++) a[i] = (T)(i * 3 % 47 - 11), b[i] = (T)(i % 19 + 1), idx[i] = i * 5 % N; \
    T sum = 0, most = a[0], least = a[0], dot = 0;                                                \
    for (int i = 0; i < N; i++) c[i] = (T)(a[i] * 2 + b[i]);                                      \
    for (int i = 0; i < N; i++) sum = (T)(sum + c[i]);                                            \
    for (int i = 0; i < N; i++) most = c[i] > most ? c[i] : most, least = c[i] < least ? c[i] : least; \
    for (int i = 0; i < N; i++) dot = (T)(dot + a[i] * b[i]);                                     \
    for (int i = 0; i < N; i++) c[i] = (T)(c[i] + a[idx[i]]);                                     \
    for (int i = 0; i < N - 3; i += 3) c[i] = (T)(c[i + 1] - c[i + 2]);                           \
    for (int i = 0; i < N; i++) if (a[i] > b[i]) c[i] = (T)(c[i] - b[i]); else c[i] = (T)(c[i] / b[i]); \
    for (int i = 0; i < N / 2; i++) { T t = c[i]; c[i] = c[N - 1 - i]; c[N - 1 - i] = t; }        \
    T last = 0;                                                                                   \
    for (int i = 0; i < N; i++) last = (T)(last * 3 + c[i]) > 100 ? (T)(last - 50) : (T)(last + c[i]); \
    printf(#T " %g %g %g %g %g\n", (double)sum, (double)most, (double)least, (double)dot, (double)last); \
  }
EACH(int8_t, i8) EACH(uint8_t, u8) EACH(int16_t, i16) EACH(uint16_t, u16) EACH(int32_t, i32) EACH(uint32_t, u32)
EACH(int64_t, i64) EACH(uint64_t, u64) EACH(float, f32) EACH(double, f64) EACH(long double, f80)

int main(void) { i8(), u8(), i16(), u16(), i32(), u32(), i64(), u64(), f32(), f64(), f80(); }
