/* corpus: not:musl */
/* hsearch, tsearch, lsearch, insque, getopt and getopt_long, getsubopt. */
#define _GNU_SOURCE
#include <getopt.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) { return strcmp(a, b); }
static void visit(const void *node, VISIT when, int depth) { if (when == postorder || when == leaf) printf("%s@%d ", *(char **)node, depth); }
static int equal(const void *a, const void *b) { return *(int *)a != *(int *)b; }

int main(void) {
  char *words[] = {"the", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog", "quick"};
  hcreate(30);
  void *root = NULL;
  for (int i = 0; i < 10; i++) {
    ENTRY *found = hsearch((ENTRY){words[i], NULL}, FIND);
    if (found) found->data = (char *)found->data + 1;
    else hsearch((ENTRY){words[i], (void *)1}, ENTER);
    tsearch(words[i], &root, compare);
  }
  printf("%d %d\n", (int)(long)hsearch((ENTRY){"quick", NULL}, FIND)->data, hsearch((ENTRY){"cat", NULL}, FIND) == NULL);
  twalk(root, visit);
  tdelete("fox", &root, compare);
  printf("%d\n", tfind("fox", &root, compare) == NULL);
  int table[10] = {5, 7};
  size_t n = 2;
  for (int i = 0; i < 6; i++) lsearch(&(int){i % 4 + 5}, table, &n, sizeof *table, equal);
  printf("%zu\n", n);
  char *arguments[] = {"program", "-ab", "7", "file", "--long=x", "--flag", "-zrest", "--", "-last", NULL};
  struct option options[] = {{"long", required_argument, NULL, 'L'}, {"flag", no_argument, NULL, 'F'}, {0}};
  opterr = 0;
  for (int c; (c = getopt_long(9, arguments, "ab:z::", options, NULL)) != -1;) printf("%c=%s ", c, optarg ? optarg : "-");
  for (int i = optind; i < 9; i++) printf("[%s]", arguments[i]);
  char text[] = "size=10,verbose,bogus", *p = text, *value, *const tokens[] = {"size", "verbose", NULL};
  while (*p) printf(" %d", getsubopt(&p, tokens, &value));
  puts("");
}
