/* GCC's vector types: arithmetic, comparisons, shuffles, conversions, subscripts, of several sizes. */
#include <stdint.h>
#include <stdio.h>

typedef int8_t v16qi __attribute__((vector_size(16)));
typedef uint16_t v8hu __attribute__((vector_size(16)));
typedef int32_t v4si __attribute__((vector_size(16)));
typedef int64_t v2di __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));
typedef double v2df __attribute__((vector_size(16)));
typedef int32_t v8si __attribute__((vector_size(32)));
typedef double v4df __attribute__((vector_size(32)));
typedef int16_t v4hi __attribute__((vector_size(8)));

int main(void) {
  v16qi a, b;
  for (int i = 0; i < 16; i++) a[i] = (int8_t)(i * 19 - 100), b[i] = (int8_t)(77 - i * 13);
  for (volatile int round = 1; round < 6; round++) {
    v16qi c = (a + b) * (v16qi)(a - b) ^ (a > b) | (a & b) << (round & 7);
    v8hu h = (v8hu)a * 3 + ((v8hu)b >> round);
    v4si s = (v4si)a / ((v4si)b | 1) + ((v4si)h >> round) - (v4si)c * round;
    v2di q = (v2di)s * 12345678901 + ((v2di)h << round);
    v4sf f = __builtin_convertvector(s, v4sf) * 0.25f + (v4sf){1, 2, 3, 4};
    v2df d = (v2df){f[0], f[3]} / 3 - (v2df){round, -round};
    v4si mixed = __builtin_shufflevector(s, (v4si)h, 3, 4, 1, 6);
    v4si picked = ((f > 0) & s) | (~(f > 0) & mixed);
    v8si wide = {s[0], s[1], s[2], s[3], mixed[0], mixed[1], mixed[2], mixed[3]};
    wide = wide * wide - (wide >> 3);
    v4df e = {d[0], d[1], f[1], f[2]};
    e = e * e + 1.5;
    v4hi small = {(short)h[0], (short)h[1], 3, 4};
    small = small * small - 5;
    long sum = 0;
    for (int i = 0; i < 16; i++) sum = sum * 31 + c[i];
    for (int i = 0; i < 8; i++) sum = sum * 31 + h[i] + wide[i];
    for (int i = 0; i < 4; i++) sum = sum * 31 + s[i] * picked[i] + small[i];
    printf("%ld %lld %lld %g %g %g %g %g %d %d\n", sum, (long long)q[0], (long long)q[1], f[1], d[0], d[1], e[2], e[3], picked[2], small[1]);
    a = a + (v16qi)c, b = b - (v16qi)s;
  }
}
