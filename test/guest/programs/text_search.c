/* Text search four ways, edit distance, longest common subsequence, and a small pattern matcher. */
#include <stdio.h>
#include <string.h>

static char text[400];

static int naive(const char *t, const char *p) {
  int n = 0;
  for (; *t != 0; t++) n += strncmp(t, p, strlen(p)) == 0;
  return n;
}

static int knuth(const char *t, const char *p) {
  int fail[32] = {0}, m = (int)strlen(p), n = 0;
  for (int i = 1, k = 0; i < m; i++) {
    while (k > 0 && p[i] != p[k]) k = fail[k - 1];
    fail[i] = k += p[i] == p[k];
  }
  for (int k = 0; *t != 0; t++) {
    while (k > 0 && (k == m || *t != p[k])) k = fail[k - 1];
    k += *t == p[k];
    n += k == m;
  }
  return n;
}

static int horspool(const char *t, const char *p) {
  int skip[256], m = (int)strlen(p), n = 0, length = (int)strlen(t);
  for (int i = 0; i < 256; i++) skip[i] = m;
  for (int i = 0; i < m - 1; i++) skip[(unsigned char)p[i]] = m - 1 - i;
  for (int at = 0; at + m <= length; at += skip[(unsigned char)t[at + m - 1]]) n += memcmp(t + at, p, (size_t)m) == 0;
  return n;
}

static int distance(const char *a, const char *b) {
  int row[64], n = (int)strlen(b);
  for (int j = 0; j <= n; j++) row[j] = j;
  for (int i = 1; *a != 0; a++, i++) {
    int corner = row[0];
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int best = corner + (*a != b[j - 1]);
      corner = row[j];
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
    }
  }
  return row[n];
}

static int match(const char *p, const char *t) {
  if (*p == 0) return *t == 0;
  if (*p == '*') return match(p + 1, t) || (*t != 0 && match(p, t + 1));
  return *t != 0 && (*p == '?' || *p == *t) && match(p + 1, t + 1);
}

int main(void) {
  unsigned x = 9;
  for (int i = 0; i < 399; i++) text[i] = "ab"[(x = x * 1103515245 + 12345) >> 18 & 1];
  const char *patterns[] = {"abab", "aabbab", "bbbbbb", "a"};
  for (int i = 0; i < 4; i++) printf("%d %d %d\n", naive(text, patterns[i]), knuth(text, patterns[i]), horspool(text, patterns[i]));
  int found = 0;
  for (const char *t = text; (t = strstr(t, "babba")) != NULL; t++) found++;
  printf("%d %d %d\n", found, distance("kitten sitting", "sitting kitten"), distance("", "abc"));
  printf("%d %d %d\n", match("*.c", "text_search.c"), match("t?x*s*h.?", "text_search.c"), match("a*b*c", "aXbX"));
  return 0;
}
