/* corpus: not:musl,static */
/* The C.UTF-8 locale: multibyte conversions, widths, wide output. */
#define _XOPEN_SOURCE 700
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
  printf("%s\n", setlocale(LC_ALL, "C.UTF-8"));
  const char *text = "na\u00efve caf\u00e9 \u4e2d\u6587 \U0001f600 \u00df";
  wchar_t wide[64];
  size_t n = mbstowcs(wide, text, 64);
  printf("%zu %zu %zu\n", strlen(text), n, MB_CUR_MAX);
  for (size_t i = 0; i < n; i++) printf("%x/%d%d ", (unsigned)wide[i], iswalpha((wint_t)wide[i]) != 0, wcwidth(wide[i]));
  for (size_t i = 0; i < n; i++) wide[i] = (wchar_t)towupper((wint_t)wide[i]);
  char back[100];
  printf("%zu %s\n", wcstombs(back, wide, 100), back);
  mbstate_t state = {0};
  wchar_t c = 0;
  printf("%zd %zd\n", mbrtowc(&c, "\xe4\xb8", 2, &state), mbrtowc(&c, "\xad", 1, &state));
  printf("%x %zd\n", (unsigned)c, mbrtowc(&c, "\xff", 1, &(mbstate_t){0}));
  printf("%ls|%10ls|%.4ls|%lc\n", L"\u4e2d\u6587", L"\u00e9", L"\u4e2d\u6587", L'\u00e9');
}
