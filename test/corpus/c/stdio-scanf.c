/* corpus: not:musl */
/* sscanf with every conversion, sets, widths, suppression and positions. */
#include <stdio.h>

int main(void) {
  int a = 0, b = 0, n = 0, r;
  unsigned u = 0;
  long long l = 0;
  short h = 0;
  signed char hh = 0;
  double d = 0;
  float f = 0;
  long double L = 0;
  char s[32] = "", t[32] = "", c[4] = "";
  r = sscanf("12 -34 0x1f 077", "%d%i%i%o", &a, &b, &n, &u); printf("%d %d %d %d %u\n", r, a, b, n, u);
  r = sscanf("300 70000 99999999999 ff", "%hhd%hd%lld%x", &hh, &h, &l, &u); printf("%d %d %d %lld %x\n", r, hh, h, l, u);
  r = sscanf("1.5e3 -0x1.8p1 inf", "%lf%f%Lf", &d, &f, &L); printf("%d %g %g %Lg\n", r, d, f, L);
  r = sscanf("hello world", "%3s%s %n%c", s, t, &n, c); printf("%d %s %s %d %c\n", r, s, t, n, c[0]);
  r = sscanf("key = value with spaces ; rest", "%[^= ] = %[^;]%*c%3c", s, t, c); printf("%d [%s] [%s] [%.3s]\n", r, s, t, c);
  r = sscanf("a1b2", "%*[a-z]%d%[a-z]%2d", &a, s, &b); printf("%d %d %s %d\n", r, a, s, b);
  r = sscanf("10:20:30", "%d:%d;%d", &a, &b, &n); printf("%d %d %d\n", r, a, b);
  r = sscanf("%5", "%%%d", &a); printf("%d %d\n", r, a);
  r = sscanf("", "%d", &a); printf("%d\n", r);
  r = sscanf("x", "%d", &a); printf("%d\n", r);
  r = sscanf("123456789", "%4d%3d%n", &a, &b, &n); printf("%d %d %d %d\n", r, a, b, n);
  char *p;
  r = sscanf("allocated text", "%ms", &p); printf("%d %s\n", r, p);
  r = sscanf("2 3", "%2$d %1$d", &a, &b); printf("%d %d %d\n", r, a, b);
}
