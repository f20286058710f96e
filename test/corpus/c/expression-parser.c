/* A recursive-descent parser and evaluator of floating-point expressions with variables and functions. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *p;
static double variables[26];
static double expression(void);
static double primary(void) {
  while (*p == ' ') p++;
  if (*p == '(') { p++; double v = expression(); p++; return v; }
  if (*p == '-') return p++, -primary();
  if (isalpha((unsigned char)*p)) {
    char name[8];
    int n = 0;
    while (isalpha((unsigned char)*p) && n < 7) name[n++] = *p++;
    name[n] = 0;
    if (n == 1) return variables[name[0] - 'a'];
    p++;
    double v = expression();
    p++;
    return strcmp(name, "sqrt") == 0 ? sqrt(v) : strcmp(name, "sin") == 0 ? sin(v) : strcmp(name, "exp") == 0 ? exp(v) : NAN;
  }
  char *end;
  double v = strtod(p, &end);
  p = end;
  return v;
}
static double power(void) { double v = primary(); while (*p == ' ') p++; return *p == '^' ? p++, pow(v, power()) : v; }
static double term(void) {
  double v = power();
  for (;; ) {
    while (*p == ' ') p++;
    if (*p == '*') p++, v *= power();
    else if (*p == '/') p++, v /= power();
    else if (*p == '%') p++, v = fmod(v, power());
    else return v;
  }
}
static double expression(void) {
  double v = term();
  for (;; ) {
    while (*p == ' ') p++;
    if (*p == '+') p++, v += term();
    else if (*p == '-') p++, v -= term();
    else return v;
  }
}

int main(void) {
  const char *lines[] = {"a=1+2*3", "b=(a-2)^2/7", "c=sqrt(b)*sin(a)+exp(-b)", "d=2^3^2%100", "e=-a--b*-(c+1e-3)", "f=((((1.5))))", "g=1/0-a", "h=a*a*a/b/b-0x10"};
  for (int i = 0; i < 8; i++) {
    p = lines[i] + 2;
    double v = variables[lines[i][0] - 'a'] = expression();
    printf("%s -> %.15g\n", lines[i], v);
  }
}
