/* The string functions, over lengths and alignments that take their different paths. */
#include <stdio.h>
#include <string.h>

int main(void) {
  static char a[600], b[600];
  unsigned digest = 0;
  for (int length = 0; length < 300; length = length * 3 / 2 + 1)
    for (int align = 0; align < 16; align += 5) {
      memset(a, 'x', sizeof a);
      for (int i = 0; i < length; i++) a[align + i] = (char)('a' + (i * 7 + align) % 26);
      a[align + length] = 0;
      strcpy(b + 3, a + align);
      digest = digest * 31 + (unsigned)strlen(b + 3);
      digest = digest * 31 + (unsigned)(strcmp(b + 3, a + align) == 0);
      const char *found = strchr(b + 3, 'q'), *last = strrchr(b + 3, 'e');
      digest = digest * 31 + (unsigned)(found ? found - b : -1) + (unsigned)(last ? last - b : -1);
      b[3 + length / 2] ^= 1;
      digest = digest * 31 + (unsigned)(strcmp(b + 3, a + align) < 0) + 2 * (strncmp(b + 3, a + align, (size_t)length / 2) == 0);
      digest = digest * 31 + (unsigned)(memcmp(b + 3, a + align, (size_t)length) > 0);
      digest = digest * 31 + (unsigned)strspn(a + align, "abcdefghijklm") + (unsigned)strcspn(a + align, "xyz");
      const char *inside = strstr(a + align, "hov");
      digest = digest * 31 + (unsigned)(inside ? inside - a : -1);
      const void *byte = memchr(a, 0, sizeof a);
      digest = digest * 31 + (unsigned)((const char *)byte - a);
    }
  char text[] = "the quick,brown;fox  jumps";
  for (char *word = strtok(text, " ,;"); word != NULL; word = strtok(NULL, " ,;")) printf("<%s>", word);
  char joined[64] = "";
  strcat(joined, "one");
  strncat(joined, "two-three", 3);
  strncpy(joined + 10, "four", 20);
  printf("\n%s %s %s %u\n", joined, joined + 10, strpbrk("hello world", "ow"), digest);
  return 0;
}
