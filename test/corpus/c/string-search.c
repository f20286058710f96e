/* strstr, memmem and strcasestr on texts that mislead them; Knuth-Morris-Pratt as oracle. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

static int kmp(const char *text, const char *word) {
  int fail[64] = {0}, n = (int)strlen(word), k = 0;
  for (int i = 1; i < n; i++) {
    while (k && word[i] != word[k]) k = fail[k - 1];
    fail[i] = k += word[i] == word[k];
  }
  k = 0;
  for (int i = 0; text[i]; i++) {
    while (k && text[i] != word[k]) k = fail[k - 1];
    if ((k += text[i] == word[k]) == n) return i - n + 1;
  }
  return -1;
}

int main(void) {
  static char text[3000];
  unsigned s = 1;
  for (int i = 0; i < 2999; i++) text[i] = "ab"[(s = s * 1103515245 + 12345) >> 30 & 1];
  int wrong = 0, sum = 0;
  for (int n = 1; n < 40; n++)
    for (int at = 0; at < 2900; at += 317) {
      char word[64] = {0};
      memcpy(word, text + at, (size_t)n);
      word[n - 1] ^= (char)(at % 3 == 0);
      char *found = strstr(text, word), *again = memmem(text, 2999, word, (size_t)n);
      int here = found ? (int)(found - text) : -1;
      wrong += here != kmp(text, word) || found != again;
      sum = sum * 3 + here;
    }
  char *cased = strcasestr("Some Text In MIXED Case", "mixed");
  printf("%d %d %s %s\n", wrong, sum, cased, strcasestr("none", "x") ? "?" : "-");
}
