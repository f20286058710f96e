/* Numbers to text in all bases by hand and by the library, and back. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *render(uint64_t v, int base, char *end) {
  *--end = 0;
  do *--end = "0123456789abcdefghijklmnopqrstuvwxyz"[v % (unsigned)base]; while (v /= (unsigned)base);
  return end;
}

int main(void) {
  uint64_t v = 1;
  int wrong = 0;
  char buffer[80], text[40];
  for (int i = 0; i < 60; i++, v = v * 6364136223846793005u + 1) {
    for (int base = 2; base <= 36; base++) wrong += strtoull(render(v, base, buffer + 80), NULL, base) != v;
    snprintf(text, sizeof text, "%" PRIu64, v), wrong += strcmp(text, render(v, 10, buffer + 80)) != 0;
    snprintf(text, sizeof text, "%" PRIo64, v), wrong += strcmp(text, render(v, 8, buffer + 80)) != 0;
    if (i % 12 == 0) printf("%s %s\n", text, render(v, 36, buffer + 80));
  }
  printf("%d\n", wrong);
}
