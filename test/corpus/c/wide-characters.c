/* wchar.h and wctype.h in the C locale and as UTF-8 by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static int encode(unsigned c, char *p) {
  if (c < 0x80) return p[0] = (char)c, 1;
  if (c < 0x800) return p[0] = (char)(0xc0 | c >> 6), p[1] = (char)(0x80 | (c & 63)), 2;
  if (c < 0x10000) return p[0] = (char)(0xe0 | c >> 12), p[1] = (char)(0x80 | (c >> 6 & 63)), p[2] = (char)(0x80 | (c & 63)), 3;
  return p[0] = (char)(0xf0 | c >> 18), p[1] = (char)(0x80 | (c >> 12 & 63)), p[2] = (char)(0x80 | (c >> 6 & 63)), p[3] = (char)(0x80 | (c & 63)), 4;
}

int main(void) {
  wchar_t text[64] = L"Wide characters: \u00e9\u4e2d\U0001f600 end", copy[64], *save;
  printf("%zu %d %d\n", wcslen(text), wcscmp(text, L"Wide"), wcsncmp(text, L"Wide!", 4));
  char bytes[100];
  int n = 0;
  for (int i = 0; text[i]; i++) n += encode((unsigned)text[i], bytes + n);
  printf("%d %.*s\n", n, n, bytes);
  wcscpy(copy, L"a b  c");
  for (wchar_t *t = wcstok(copy, L" ", &save); t; t = wcstok(NULL, L" ", &save)) printf("[%ls]", t);
  printf("%ld %g %d %d\n", wcstol(L"-0x1f", NULL, 16), wcstod(L"2.5e3", NULL), iswalpha(L'x') != 0, iswdigit(L'x') != 0);
  swprintf(copy, 64, L"%d %ls %s %.2f", 5, L"wide", "narrow", 2.5);
  printf("%ls %td %lc\n", copy, wcsstr(copy, L"wide") - copy, towupper(L'q'));
  wmemset(copy, L'z', 5);
  printf("%d %td\n", (int)wmemcmp(copy, L"zzzzy", 5), wmemchr(copy, L' ', 20) - copy);
  mbstate_t state = {0};
  wchar_t c;
  size_t used = mbrtowc(&c, "Az", 2, &state);
  printf("%zu %d %zu %d\n", used, c, wcstombs(bytes, L"plain", 100), mblen("q", 1));
}
