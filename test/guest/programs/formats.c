/* printf in all its conversions, flags, widths and precisions, and snprintf's truncation. */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
  printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d]\n", 42, 42, 42, 42, 42, 42, 7);
  printf("[%u] [%x] [%X] [%#x] [%o] [%#o] [%c] [%%]\n", UINT_MAX, 48879, 48879, 48879, 511, 511, 'c');
  printf("[%lld] [%llu] [%hhd] [%hd] [%zu] [%td] [%jd]\n", LLONG_MIN, ULLONG_MAX, (signed char)-3, (short)-30000, (size_t)7, (ptrdiff_t)-7, (intmax_t)9);
  printf("[%s] [%10s] [%-10s] [%.2s] [%*.*s]\n", "text", "text", "text", "text", 8, 3, "text");
  static const double values[] = {0, 1, -1.5, 1234567.891, 1e-7, 1e22, 1.7976931348623157e308, 4.9e-324, 0.1};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    double v = values[i];
    printf("%f %.0f %10.3f %-12.2e| %E %g %G %#g %.15g %a %A\n", v, v, v, v, v, v, v, v, v, v, v);
  }
  printf("%Lf %Le %Lg %La %.30Lf\n", 1.5L, 1e100L, 1e-100L, 3.0L, 0.1L);
  char small[8];
  int wanted = snprintf(small, sizeof small, "%s-%d", "truncated", 12345);
  printf("%s %d\n", small, wanted);
  int so_far;
  printf("abc%n", &so_far);
  printf("%d\n", so_far);
  return so_far;
}
