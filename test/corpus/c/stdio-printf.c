/* corpus: not:musl */
/* printf of integers, strings and characters: flags, widths, lengths, positions, counts. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  int values[] = {0, 1, -1, 42, -12345, 2147483647, -2147483647 - 1};
  const char *formats[] = {"%d|", "%5d|", "%-8d|", "%08d|", "%+d|", "% d|", "%.3d|", "%10.4d|", "%u|", "%x|", "%#X|", "%#o|", "%hhd|", "%hd|", "%-#12x|", "%'d|"};
  for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++) {
    for (int v = 0; v < 7; v++) printf(formats[f], values[v]);
    putchar('\n');
  }
  printf("%ld %lld %lu %zu %td %jd %" PRIx64 "\n", -1l, 1ll << 62, ~0ul, sizeof(int), (ptrdiff_t)-5, (intmax_t)7, ~UINT64_C(0));
  printf("[%s] [%10s] [%-10s] [%.2s] [%*.*s] [%c] [%3c] [%-3c]\n", "text", "right", "left", "cut", 8, 3, "both", 'c', 'r', 'l');
  int n = 3;
  printf("%2$s %1$d %2$s\n", 5, "twice");
  printf("%d %s %p %%\n", n, (char *)NULL ? "" : "(null)", (void *)NULL);
  char small[8];
  n = snprintf(small, sizeof small, "%s", "much too long");
  printf("%d %s\n", n, small);
  char *made;
  n = asprintf(&made, "%0*d|%-*s|", 12, 34, 9, "made");
  printf("%d %s\n", n, made);
  free(made);
  fprintf(stderr, "to the error stream: %d\n", 7);
  dprintf(1, "");
  puts("puts"); putchar('p'); fputc('f', stdout); fwrite("write\n", 1, 6, stdout);
  perror("perror");
}
