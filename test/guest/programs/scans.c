/* sscanf and the strto family: integers of all bases, floating point, sets, ranges and errors. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int a, b;
  unsigned x;
  char word[20], set[20], c;
  double d;
  float f;
  int n = sscanf("12 -34 beef word [abc] q 2.5e3 -0x1p-2 tail", "%d %d %x %19s [%19[a-c]] %c %lf %f", &a, &b, &x, word, set, &c, &d, &f);
  printf("%d: %d %d %x %s %s %c %g %g\n", n, a, b, x, word, set, c, d, (double)f);
  n = sscanf("99 bottles", "%d cans %d", &a, &b);
  printf("%d %d\n", n, a);
  const char *numbers[] = {"0", "-1", "0x7fffffff", "0777", "zz", "99999999999999999999", "  42abc", "-9223372036854775809"};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    char *end;
    errno = 0;
    long value = strtol(numbers[i], &end, 0);
    int range = errno == ERANGE;
    unsigned long base36 = strtoul(numbers[i], NULL, 36);
    printf("%ld %d [%s] %lu\n", value, range, end, base36);
  }
  const char *reals[] = {"1", "0.1", "1e309", "2.2250738585072011e-308", "-0", "0x1.fffffffffffff8p0", "nan", "infinity", "1.", ".5e1x"};
  for (unsigned i = 0; i < sizeof reals / sizeof *reals; i++) {
    char *end;
    double value = strtod(reals[i], &end);
    printf("%a %.9g [%s]\n", value, (double)strtof(reals[i], NULL), end);
  }
  printf("%d %ld %.17g\n", atoi("  -17 "), atol("123456789012"), atof("3.14159"));
  return 0;
}
