/* Growing buffers, joins, splits, replacements, reversal of words, palindromes, anagrams, wildcards. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { char *p; size_t n, room; } Text;
static void append(Text *t, const char *s, size_t n) {
  if (t->n + n + 1 > t->room) t->p = realloc(t->p, t->room = (t->n + n + 1) * 2);
  memcpy(t->p + t->n, s, n);
  t->p[t->n += n] = 0;
}
static void replace(Text *t, const char *s, const char *from, const char *to) {
  for (const char *at; (at = strstr(s, from)); s = at + strlen(from)) append(t, s, (size_t)(at - s)), append(t, to, strlen(to));
  append(t, s, strlen(s));
}
static int wild(const char *p, const char *s) { return !*p ? !*s : *p == '*' ? wild(p + 1, s) || (*s && wild(p, s + 1)) : *s && (*p == '?' || *p == *s) && wild(p + 1, s + 1); }
static int palindrome(const char *s) {
  const char *e = s + strlen(s);
  for (;;) {
    while (s < e && !isalpha((unsigned char)*s)) s++;
    while (s < e && !isalpha((unsigned char)e[-1])) e--;
    if (s >= e) return 1;
    if (tolower((unsigned char)*s++) != tolower((unsigned char)*--e)) return 0;
  }
}

int main(void) {
  Text t = {0}, u = {0};
  for (int i = 0; i < 300; i++) { char word[16]; int n = snprintf(word, sizeof word, "w%d ", i * i % 97); append(&t, word, (size_t)n); }
  replace(&u, t.p, "w1", "<one>");
  printf("%zu %zu %.60s\n", t.n, u.n, u.p);
  int counts[26] = {0}, words = 0;
  for (char *s = strtok(t.p, " "); s; s = strtok(NULL, " ")) counts[(int)strlen(s) % 26]++, words++;
  printf("%d %d %d %d\n", words, counts[2], counts[3], wild("*one>?*w4*", u.p));
  printf("%d %d %d %d\n", palindrome("A man, a plan, a canal: Panama"), palindrome("not one"), wild("a?c*", "abcd"), wild("*.c", "x.cpp"));
  free(t.p), free(u.p);
}
