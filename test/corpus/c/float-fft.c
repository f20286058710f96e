/* A fast Fourier transform and back, float and double. */
#include <math.h>
#include <stdio.h>

#define FFT(T, NAME)                                                             \
  static void NAME(T *re, T *im, int n, int sign) {                              \
    for (int i = 1, j = 0; i < n; i++) {                                         \
      int bit = n >> 1;                                                          \
      for (; j & bit; bit >>= 1) j ^= bit;                                       \
      j ^= bit;                                                                  \
      if (i < j) { T t = re[i]; re[i] = re[j]; re[j] = t; t = im[i]; im[i] = im[j]; im[j] = t; } \
    }                                                                            \
    for (int len = 2; len <= n; len *= 2)                                        \
      for (int i = 0; i < n; i += len)                                           \
        for (int k = 0; k < len / 2; k++) {                                      \
          double angle = sign * 2 * 3.14159265358979323846 * k / len;            \
          T c = (T)cos(angle), s = (T)sin(angle);                                \
          int a = i + k, b = a + len / 2;                                        \
          T x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c;                \
          re[b] = re[a] - x; im[b] = im[a] - y; re[a] += x; im[a] += y;          \
        }                                                                        \
  }
FFT(double, fft)
FFT(float, fftf)

int main(void) {
  static double re[256], im[256];
  static float fre[256], fim[256];
  for (int i = 0; i < 256; i++) fre[i] = (float)(re[i] = (i * 37 % 101) - 50), fim[i] = (float)(im[i] = i % 7);
  fft(re, im, 256, 1), fftf(fre, fim, 256, 1);
  for (int i = 0; i < 256; i += 17) printf("%a %a %a %a\n", re[i], im[i], fre[i], fim[i]);
  fft(re, im, 256, -1), fftf(fre, fim, 256, -1);
  for (int i = 0; i < 256; i += 29) printf("%.9f %.9f %.3f %.3f\n", re[i] / 256, im[i] / 256, fre[i] / 256, fim[i] / 256);
}
