/* strtod, strtof, strtold: round trips of random bits, halves between, hexadecimal, overflow and underflow. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  uint64_t x = 1;
  int wrong = 0;
  char text[64];
  for (int i = 0; i < 400; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    double d;
    float f;
    memcpy(&d, &x, 8);
    memcpy(&f, &x, 4);
    if (!isfinite(d) || !isfinite(f)) continue;
    snprintf(text, sizeof text, "%.17g", d);
    wrong += strtod(text, NULL) != d;
    snprintf(text, sizeof text, "%a", d);
    wrong += strtod(text, NULL) != d;
    snprintf(text, sizeof text, "%.9g", f);
    wrong += strtof(text, NULL) != f;
    snprintf(text, sizeof text, "%.21Lg", (long double)d / 3);
    wrong += strtold(text, NULL) != (long double)d / 3;
  }
  printf("wrong %d\n", wrong);
  const char *texts[] = {"1e400", "-1e400", "1e-400", "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "0x1.8p3",
                         "0x.1p-1080", "1.00000000000000011102230246251565404", "1.0000000000000001110223024625156541", "9007199254740993", "inf",
                         "-Infinity", "nan(0x12)", "  +3.5e2xyz", ".5.", "e5", "1e", "1e+", "0x", "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    char *end;
    errno = 0;
    double d = strtod(texts[i], &end);
    printf("%a %d %d ", d, (int)(end - texts[i]), errno);
    errno = 0;
    printf("%a %La %d\n", strtof(texts[i], NULL), strtold(texts[i], NULL), errno);
  }
}
