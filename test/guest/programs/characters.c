/* Character classes and case, wide characters and multibyte conversion in the C locale. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
  unsigned digest = 0;
  for (int c = 0; c < 128; c++) {
    int (*const classes[])(int) = {isalpha, isdigit, isspace, ispunct, isupper, isxdigit, iscntrl, isprint};
    for (int i = 0; i < 8; i++) digest = digest * 3 + (classes[i](c) != 0);
    digest = digest * 31 + (unsigned)toupper(c) + (unsigned)tolower(c);
  }
  printf("%u\n", digest);
  wchar_t wide[40], copy[40];
  size_t n = mbstowcs(wide, "wide characters, 42", 40);
  wcscpy(copy, wide);
  for (size_t i = 0; i < n; i++) copy[i] = (wchar_t)towupper((wint_t)copy[i]);
  char narrow[40];
  wcstombs(narrow, copy, sizeof narrow);
  printf("%zu %s %d %zu\n", n, narrow, wcscmp(wide, copy) > 0, wcslen(copy));
  printf("%ld %d %d\n", wcstol(L"  -123x", NULL, 10), wcschr(wide, L'c') - wide == 5, wcsstr(wide, L"act") != NULL);
  swprintf(copy, 40, L"%ls|%d|%g", L"inner", 7, 2.5);
  printf("%ls\n", copy);
  return 0;
}
