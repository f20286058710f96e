/* string.h over many lengths and alignments against loops. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

static char a[700], b[700];
static unsigned hash(const char *p, int n) {
  unsigned h = 1;
  for (int i = 0; i < n; i++) h = h * 31 + (unsigned char)p[i];
  return h;
}

int main(void) {
  unsigned sum = 0;
  for (int n = 0; n < 260; n += n < 40 ? 1 : 13)
    for (int off = 0; off < 17; off += 5) {
      for (int i = 0; i < 700; i++) a[i] = (char)(i * 7 + n), b[i] = (char)(i + off);
      memcpy(b + off, a + 3, (size_t)n);
      memmove(a + off + 1, a + off, (size_t)n);
      memset(b + 300 + off, n, (size_t)n);
      a[off + n] = 0;
      for (int i = 0; i < n; i++) a[off + i] |= 1;
      sum = sum * 31 + hash(a, 700) + hash(b, 700) + (unsigned)strlen(a + off);
      sum += (unsigned)(memchr(b, n, 700) != NULL) + (memcmp(a, b, (size_t)n) < 0) + (memcmp(a + off, a + off, (size_t)n) == 0) * 2u;
      memcpy(b, a + off, (size_t)n + 1);
      sum += (unsigned)strcmp(b, a + off) + (strncmp(b, a + off, 50) == 0);
      b[n / 2] ^= 2;
      sum += strcmp(b, a + off) > 0 ? 5u : 9u;
    }
  printf("%u\n", sum);
  char text[100] = "one,two;;three four", *save, copy[100];
  for (char *t = strtok_r(text, ",; ", &save); t; t = strtok_r(NULL, ",; ", &save)) printf("<%s>", t);
  strcpy(copy, "hello");
  strcat(copy, " world");
  strncat(copy, "xyz!", 2);
  printf("%s %zu %zu %s %s %s %s\n", copy, strspn(copy, "helo"), strcspn(copy, "w"), strpbrk(copy, "xwz"), strstr(copy, "wor"), strchr(copy, 'o'), strrchr(copy, 'o'));
  printf("%d %d %s %zu\n", strcasecmp("HeLLo", "hEllO"), strncasecmp("abcX", "ABCy", 3), strchr(copy, 0) == copy + strlen(copy) ? "end" : "", strnlen("abcdef", 3));
  char *p = stpcpy(copy, "abc");
  printf("%td %s %p %s\n", p - copy, strndup("duplicate", 3), (void *)strstr("aaa", "ab"), (char *)memmem("needle in hay", 13, "in", 2));
}
