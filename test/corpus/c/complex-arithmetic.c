/* corpus: not:clang-O0,clang-O2 */
/* _Complex of three precisions: products and quotients with infinities, functions of complex.h. */
#include <complex.h>
#include <math.h>
#include <stdio.h>

int main(void) {
  volatile double re[] = {0, 1, -2.5, 1e200, INFINITY}, im[] = {0, -1, 3.25, 1e-200};
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 4; j++) {
      double complex a = CMPLX(re[i], im[j]), b = CMPLX(im[j], re[(i + 1) % 5]);
      double complex p = a * b, q = a / (b + 1), r = a * I - conj(b);
      printf("%g %g %g %g %g %g\n", creal(p), cimag(p), fabs(creal(q)), cimag(q) == 0 ? 0 : cimag(q), creal(r), cimag(r));
    }
  for (int i = 0; i < 12; i++) {
    double complex z = 1.7 * cexp(I * (0.5 * i)) + 0.1;
    float complex f = (float complex)z;
    long double complex l = z;
    double complex list[] = {csqrt(z), cexp(z), clog(z), csin(z), ccos(z), ctan(z), casin(z), cacos(z), catan(z), csinh(z), ctanh(z), cpow(z, 1.5 - I)};
    for (int k = 0; k < 12; k++) printf("%.12g%+.12gi ", creal(list[k]), cimag(list[k]));
    printf("%.6g %.6g %.15Lg %.15Lg %.9g %.9g\n", crealf(f * f), cimagf(csqrtf(f)), creall(l / (l + 2)), cimagl(cexpl(l)), cabs(z), carg(z));
  }
}
