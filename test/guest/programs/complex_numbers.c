/* Complex arithmetic: the Mandelbrot set in characters, roots of unity, a small Fourier transform. */
#include <complex.h>
#include <math.h>
#include <stdio.h>

int main(void) {
  for (double y = 1.0; y >= -1.0; y -= 0.4) {
    for (double x = -2.0; x <= 0.6; x += 0.1) {
      double complex z = 0, c = x + y * I;
      int n = 0;
      while (n < 25 && creal(z) * creal(z) + cimag(z) * cimag(z) < 4) {
        z = z * z + c;
        n++;
      }
      putchar(" .:-=+*#%@"[n * 9 / 25]);
    }
    putchar('\n');
  }
  enum { N = 8 };
  double complex in[N], out[N];
  for (int i = 0; i < N; i++) in[i] = i * i - 3.0 * i * I;
  for (int k = 0; k < N; k++) {
    out[k] = 0;
    for (int i = 0; i < N; i++) out[k] += in[i] * cexp(-2 * M_PI * I * (k * i % N) / N);
    printf("%.10g %.10g\n", creal(out[k]), cimag(out[k]));
  }
  double complex q = out[1] / out[2];
  printf("%.10g %.10g %.10g\n", creal(q), cimag(q), cabs(csqrt(q)));
  return 0;
}
