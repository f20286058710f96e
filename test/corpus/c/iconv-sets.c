/* corpus: not:musl,static */
/* iconv between UTF-8, UTF-16, UTF-32 and Latin 1. */
#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>

static void convert(const char *to, const char *from, char *text, size_t length) {
  iconv_t c = iconv_open(to, from);
  if (c == (iconv_t)-1) { printf("%s none\n", to); return; }
  char out[200], *p = out;
  size_t left = sizeof out, r = iconv(c, &text, &length, &p, &left);
  printf("%s %zd %d:", to, (ssize_t)r, r == (size_t)-1 ? errno : 0);
  for (char *q = out; q < p; q++) printf(" %02x", (unsigned char)*q);
  puts("");
  iconv_close(c);
}

int main(void) {
  char text[] = "caf\xc3\xa9 \xe4\xb8\xad \xf0\x9f\x98\x80", broken[] = "ab\xff""cd", latin[] = "caf\xe9";
  convert("UTF-16LE", "UTF-8", text, strlen(text));
  convert("UTF-32BE", "UTF-8", text, strlen(text));
  convert("UTF-16", "UTF-8", broken, strlen(broken));
  convert("UTF-8", "ISO-8859-1", latin, strlen(latin));
  convert("ISO-8859-1", "UTF-8", text, 6);
  convert("NO-SUCH", "UTF-8", text, 5);
}
