/* Character classes of all bytes, localeconv, setlocale, toupper and tolower. */
#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  for (int c = -1; c < 256; c++)
    printf("%d%d%d%d%d%d%d%d%d%d%d%s", !!isalnum(c), !!isalpha(c), !!isblank(c), !!iscntrl(c), !!isdigit(c), !!isgraph(c), !!islower(c), !!isprint(c),
           !!ispunct(c), !!isspace(c), !!isxdigit(c), c % 8 == 7 ? "\n" : " ");
  unsigned sum = 0;
  for (int c = 0; c < 256; c++) sum = sum * 31 + (unsigned)(toupper(c) * 3 + tolower(c));
  printf("%s %s %u\n", setlocale(LC_ALL, NULL), setlocale(LC_ALL, "C"), sum);
  printf("%d\n", setlocale(LC_ALL, "xx_YY.none") == NULL);
  struct lconv *l = localeconv();
  printf("[%s] [%s] %d %d\n", l->decimal_point, l->thousands_sep, l->frac_digits, l->p_sign_posn);
  printf("%d %d\n", strcoll("abc", "abd") < 0, (int)strxfrm(NULL, "hello", 0));
}
