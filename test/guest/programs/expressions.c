/* A recursive-descent calculator over doubles and integers, with variables and functions. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *at;
static double variables[26];
static double sum(void);

static double primary(void) {
  while (*at == ' ') at++;
  if (*at == '(') {
    at++;
    double v = sum();
    at++;
    return v;
  }
  if (*at == '-') {
    at++;
    return -primary();
  }
  if (strncmp(at, "sqrt", 4) == 0) {
    at += 4;
    return sqrt(primary());
  }
  if (isalpha((unsigned char)*at)) return variables[*at++ - 'a'];
  char *end;
  double v = strtod(at, &end);
  at = end;
  return v;
}

static double product(void) {
  double v = primary();
  for (;; ) {
    while (*at == ' ') at++;
    if (*at == '*') at++, v *= primary();
    else if (*at == '/') at++, v /= primary();
    else if (*at == '%') at++, v = fmod(v, primary());
    else return v;
  }
}

static double sum(void) {
  double v = product();
  for (;;) {
    while (*at == ' ') at++;
    if (*at == '+') at++, v += product();
    else if (*at == '-') at++, v -= product();
    else return v;
  }
}

int main(void) {
  const char *lines[] = {"a=1+2*3", "b=(a+1)/4*10", "c=-(-b%7)--3", "d=sqrt(a*a+b*b)/2", "e=((((1))))+.5e1", "f=a/0", "g=1e3*1e-3-1"};
  for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++) {
    at = lines[i] + 2;
    double v = variables[lines[i][0] - 'a'] = sum();
    printf("%s -> %.12g\n", lines[i], v);
  }
  return 0;
}
