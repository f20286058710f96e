/* corpus: apart:10000 */
/* printf of floating point with every conversion, flag, width and precision. */
#include <stdio.h>

int main(void) {
  double values[] = {0, -0.0, 1, 0.1, 123456.789, 1e100, 4.9e-324, 1.7976931348623157e308, 0.5, 9.995, 1e21, 123456789012345680.0, -2.5e-5};
  const char *formats[] = {"%f", "%.0f", "%.3f", "%.20f", "%e", "%.0e", "%.15e", "%g", "%.3g", "%.17g", "%#g", "%a", "%.3a", "%A", "%+.2f",
                           "% g", "%012.3f", "%-14.2e|", "%'.2f", "%#.0f", "%G", "%.40g", "%.300f"};
  for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
    for (unsigned v = 0; v < sizeof values / sizeof *values; v++) {
      printf(formats[f], values[v]);
      putchar(v % 4 == 3 ? '\n' : ' ');
    }
  printf("\n%Lf %Le %Lg %La %.30Lg\n", 1.1L, 1e4000L, 3.14159265358979323846L, 0.1L, 1.0L / 3);
  printf("%*.*f|%-*.*f|%f %f\n", 12, 3, 2.71828, 10, 1, 9.96, 1e300 * 1e300, -1e300 * 1e300);
}
