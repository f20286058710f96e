/* A regular expression matcher by backtracking and by simulating the automaton. */
#include <stdio.h>
#include <string.h>

static int here(const char *re, const char *s);
static int star(char c, const char *re, const char *s) { do if (here(re, s)) return 1; while (*s && (*s++ == c || c == '.')); return 0; }
static int here(const char *re, const char *s) {
  if (!*re) return 1;
  if (re[1] == '*') return star(*re, re + 2, s);
  if (re[1] == '?') return ((*s == *re || (*re == '.' && *s)) && here(re + 2, s + 1)) || here(re + 2, s);
  if (*re == '$' && !re[1]) return !*s;
  return *s && (*re == '.' || *re == *s) && here(re + 1, s + 1);
}
static int match(const char *re, const char *s) {
  if (*re == '^') return here(re + 1, s);
  do if (here(re, s)) return 1; while (*s++);
  return 0;
}
static unsigned follow(const char *re, unsigned set) {
  for (int i = 0; re[i]; i++) if (set >> i & 1 && (re[i + 1] == '*' || re[i + 1] == '?')) set |= 1u << (i + 2);
  return set;
}
static int simulate(const char *re, const char *s) {
  int anchored = *re == '^';
  re += anchored;
  int n = (int)strlen(re);
  unsigned set = follow(re, 1);
  for (;; s++) {
    if (set >> n & 1 || (!*s && n > 0 && re[n - 1] == '$' && set >> (n - 1) & 1)) return 1;
    if (!*s) return 0;
    unsigned next = anchored ? 0 : 1;
    for (int i = 0; i < n; i++)
      if (set >> i & 1 && (re[i] == '.' || re[i] == *s) && re[i] != '$') next |= 1u << (re[i + 1] == '*' ? i : re[i + 1] == '?' ? i + 2 : i + 1);
    set = follow(re, next);
  }
}

int main(void) {
  const char *res[] = {"abc", "^a.c$", "a*b*c", "x?y?z", "^.*end$", "a.*b.*c", "^$", "q*", "b?c?d$"};
  const char *texts[] = {"abc", "xxabcxx", "aaaabbbc", "", "the end", "axbycz", "abcd", "yz"};
  for (int r = 0; r < 9; r++, puts(""))
    for (int t = 0; t < 8; t++) printf("%d%d ", match(res[r], texts[t]), simulate(res[r], texts[t]));
}
