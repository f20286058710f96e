/* Variable arguments: more than the registers hold, mixed classes, va_copy, forwarding to vsnprintf. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static double sum(const char *kinds, ...) {
  va_list all, again;
  va_start(all, kinds);
  va_copy(again, all);
  double total = 0;
  for (int pass = 0; pass < 2; pass++) {
    va_list *list = pass ? &again : &all;
    for (const char *k = kinds; *k != 0; k++) switch (*k) {
        case 'i': total += va_arg(*list, int); break;
        case 'l': total += (double)va_arg(*list, long); break;
        case 'd': total += va_arg(*list, double); break;
        case 'D': total += (double)va_arg(*list, long double); break;
        case 's': total += (double)strlen(va_arg(*list, const char *)); break;
      }
  }
  va_end(again);
  va_end(all);
  return total;
}

static void say(const char *format, ...) {
  char line[200];
  va_list list;
  va_start(list, format);
  int n = vsnprintf(line, sizeof line, format, list);
  va_end(list);
  printf("%d:%s\n", n, line);
}

int main(void) {
  printf("%g\n", sum("iiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9));
  printf("%g\n", sum("dididDdsdlddddd", 1.5, 2, 2.5, 3, 3.5, 4.5L, 5.5, "six", 6.5, 7L, 8.5, 9.5, 10.5, 11.5, 12.5));
  say("%d %s %g %c %ld %Lg %g %g %g %g %g %g %g %d %d", 1, "two", 3.0, '4', 5L, 6.0L, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14, 15);
  return 0;
}
