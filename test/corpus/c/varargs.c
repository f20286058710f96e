/* Variable arguments of all kinds, past the registers, copied and passed on. */
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

struct Small { int a, b; };
struct Mixed { double d; long l; };
struct Large { long v[5]; };

static double sum(const char *kinds, ...) {
  va_list args, again;
  double total[2] = {0, 0};
  va_start(args, kinds);
  va_copy(again, args);
  for (int round = 0; round < 2; round++)
    for (const char *k = kinds; *k; k++) {
      double *t = &total[round];
#define NEXT(T) (round ? va_arg(again, T) : va_arg(args, T))
      switch (*k) {
        case 'i': *t += NEXT(int); break;
        case 'l': *t += (double)NEXT(long); break;
        case 'd': *t += NEXT(double); break;
        case 'D': *t += (double)NEXT(long double); break;
        case 'p': *t += *NEXT(int *); break;
        case 's': { struct Small s = NEXT(struct Small); *t += s.a * s.b; break; }
        case 'm': { struct Mixed m = NEXT(struct Mixed); *t += m.d * (double)m.l; break; }
        case 'L': { struct Large b = NEXT(struct Large); *t += (double)(b.v[0] + b.v[4]); break; }
      }
    }
  va_end(again);
  va_end(args);
  printf("%s %s ", kinds, total[0] == total[1] ? "same" : "different");
  return total[0];
}
static int forward(char *to, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(to, 200, format, args);
  va_end(args);
  return n;
}

int main(void) {
  int five = 5;
  struct Small s = {3, 4};
  struct Mixed m = {1.5, 6};
  struct Large b = {{1, 2, 3, 4, 5}};
  printf("%g\n", sum("iiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  printf("%g\n", sum("dddddddddd", .1, .2, .3, .4, .5, .6, .7, .8, .9, 1.));
  printf("%g\n", sum("idlDpsmLidlDpsmL", 1, 2., 3l, 4.L, &five, s, m, b, -1, -2.5, -3l, -4.L, &five, s, m, b));
  printf("%g\n", sum("mmmmmmmssss", m, m, m, m, m, m, m, s, s, s, s));
  char text[200];
  int n = forward(text, "%d %s %.3f %c %lld %Lg %5.1e|%-6d|%06d", 1, "two", 3.0, '4', 5ll, 6.0L, 7e77, 8, 9);
  printf("%d %s\n", n, text);
}
