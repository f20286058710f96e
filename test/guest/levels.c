#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* Calls functions of which C libraries have several versions, on strings of many lengths and alignments. */
static char text[4096], copy[4096];

int main(void) {
  unsigned long sum = 0;
  for (int i = 0; i < 4000; i++) text[i] = (char)('a' + i * 7 % 26);
  for (int at = 0; at < 70; at += 7)
    for (int length = 0; length < 300; length += 13) {
      char saved = text[at + length];
      text[at + length] = 0;
      sum = sum * 31 + strlen(text + at);
      sum += (unsigned long)(strchr(text + at, 'q') != NULL);
      sum += (unsigned long)(strrchr(text + at, 'z') != NULL);
      sum += strspn(text + at, "abcdefgho") + strcspn(text + at, "xyz");
      memcpy(copy + 3, text + at, (size_t)length + 1);
      sum += (unsigned long)(strcmp(copy + 3, text + at) == 0) + (unsigned long)(memcmp(copy + 3, text + at, 9) > 0);
      memset(copy, at, (size_t)length);
      memmove(copy + 1, copy, (size_t)length);
      sum += (unsigned long)copy[length] + (unsigned long)(memchr(text, 0, 4000) != NULL);
      text[at + length] = saved;
    }
  printf("%lu %d\n", sum, __builtin_popcountl(sum));
  return 0;
}
