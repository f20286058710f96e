/* corpus: uncounted not:musl */
/* regcomp and regexec, fnmatch, glob, wordexp. */
#include <fnmatch.h>
#include <glob.h>
#include <regex.h>
#include <stdio.h>
#include <wordexp.h>

int main(void) {
  const char *patterns[] = {"^([a-z]+)=([0-9]*)$", "(a|ab)(c|bcd)(d*)", "[[:digit:]]{2,4}", "(foo|bar)+baz?", "\\bword\\b", "x*", "([^,]*),([^,]*)", "(unclosed"};
  const char *texts[] = {"key=123", "abcd", "tel 12345", "foobarfooba", "a word here", "", "one,two,three"};
  for (int i = 0; i < 8; i++) {
    regex_t r;
    int error = regcomp(&r, patterns[i], REG_EXTENDED);
    if (error) { char text[80]; regerror(error, &r, text, sizeof text); puts(text); continue; }
    for (int k = 0; k < 7; k++) {
      regmatch_t m[4];
      if (regexec(&r, texts[k], 4, m, 0) == 0) for (int g = 0; g < 4; g++) printf("%d-%d ", (int)m[g].rm_so, (int)m[g].rm_eo);
      printf("; ");
    }
    printf("%zu\n", r.re_nsub);
    regfree(&r);
  }
  printf("%d %d %d %d\n", fnmatch("*.c", "a.c", 0), fnmatch("[!a]?", "bc", 0), fnmatch("*", ".x", FNM_PERIOD), fnmatch("a/*", "a/b/c", FNM_PATHNAME));
  fclose(fopen("g1.txt", "w")), fclose(fopen("g2.txt", "w")), fclose(fopen("h.txt", "w"));
  glob_t g;
  glob("g*.txt", 0, NULL, &g);
  for (size_t i = 0; i < g.gl_pathc; i++) printf("%s ", g.gl_pathv[i]);
  wordexp_t w;
  wordexp("one 'two three' \"four\" [gh]*.txt", &w, WRDE_NOCMD);
  for (size_t i = 0; i < w.we_wordc; i++) printf("<%s>", w.we_wordv[i]);
  puts("");
  remove("g1.txt"), remove("g2.txt"), remove("h.txt");
}
