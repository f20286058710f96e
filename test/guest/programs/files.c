/* Files in the working directory: write, append, seek, read by character, line and block, rename, remove. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  FILE *f = fopen("guest-file.tmp", "w+");
  if (f == NULL) return 1;
  for (int i = 0; i < 100; i++) fprintf(f, "line %d of the file\n", i);
  printf("%ld\n", ftell(f));
  rewind(f);
  char line[64];
  int lines = 0;
  while (fgets(line, sizeof line, f) != NULL) lines++;
  fseek(f, 40, SEEK_SET);
  int c = fgetc(f);
  ungetc('!', f);
  size_t got = fread(line, 1, 20, f);
  printf("%d %c %zu %.20s\n", lines, c, got, line);
  fseek(f, -5, SEEK_END);
  fputs("END", f);
  fclose(f);
  f = fopen("guest-file.tmp", "a");
  fputs("more", f);
  fclose(f);
  if (rename("guest-file.tmp", "guest-file-2.tmp") != 0) return 2;
  f = fopen("guest-file-2.tmp", "r");
  unsigned digest = 0;
  while ((c = getc(f)) != EOF) digest = digest * 31 + (unsigned)c;
  printf("%u %d %d\n", digest, feof(f) != 0, ferror(f));
  fclose(f);
  remove("guest-file-2.tmp");
  f = fopen("guest-file-2.tmp", "r");
  printf("%d %s\n", f == NULL, strerror(errno));
  return 0;
}
