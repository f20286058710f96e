/* Loops that compilers turn into SSE2 code: sums, minima, saturating and widening arithmetic, comparisons, shifts. */
#include <stdint.h>
#include <stdio.h>

enum { N = 128 };
static int8_t b[N];
static uint8_t ub[N];
static int16_t h[N];
static uint16_t uh[N];
static int32_t w[N], v[N];
static int64_t q[N];
static float f[N];
static double d[N];

int main(void) {
  uint32_t x = 7;
  for (int i = 0; i < N; i++) {
    x = x * 1664525 + 1013904223;
    b[i] = (int8_t)(x >> 24);
    ub[i] = (uint8_t)(x >> 16);
    h[i] = (int16_t)(x >> 8);
    uh[i] = (uint16_t)(x >> 12);
    w[i] = (int32_t)x;
    f[i] = (float)(int32_t)x * 0x1p-20f;
  }
  for (int i = 0; i < N; i++) d[i] = (double)f[i] * 0.5 + (double)w[i];
  for (int i = 0; i < N; i++) q[i] = (int64_t)w[i] * h[i];
  for (int i = 0; i < N; i++) v[i] = w[i] > 0 ? w[i] >> 3 : (int32_t)((uint32_t)w[i] << 2);
  for (int i = 0; i < N; i++) ub[i] = (uint8_t)((ub[i] + uh[i] % 256 + 1) / 2);
  for (int i = 0; i < N; i++) h[i] = (int16_t)(h[i] * 3 - b[i]);
  int64_t sum = 0, dot = 0;
  int32_t least = w[0], most = v[0];
  uint32_t bytes = 0;
  float fs = 0, fm = f[0];
  double ds = 0;
  int positive = 0;
  for (int i = 0; i < N; i++) sum += q[i];
  for (int i = 0; i < N; i++) dot += (int64_t)h[i] * b[i];
  for (int i = 0; i < N; i++) least = w[i] < least ? w[i] : least;
  for (int i = 0; i < N; i++) most = v[i] > most ? v[i] : most;
  for (int i = 0; i < N; i++) bytes += ub[i];
  for (int i = 0; i < N; i++) fs += f[i];
  for (int i = 0; i < N; i++) fm = f[i] > fm ? f[i] : fm;
  for (int i = 0; i < N; i++) ds += d[i];
  for (int i = 0; i < N; i++) positive += d[i] > 0;
  printf("%lld %lld %d %d %u %.9g %.9g %.17g %d\n", (long long)sum, (long long)dot, least, most, bytes, (double)fs, (double)fm, ds, positive);
  for (int i = 0; i < N; i += 31) printf("%d %u %d %u %d %lld %.9g %.17g\n", b[i], ub[i], h[i], uh[i], v[i], (long long)q[i], (double)f[i], d[i]);
  return 0;
}
