/* Files in the working directory: write, read, seek, append, update, truncate, remove, rename. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  FILE *f = fopen("data.bin", "w+b");
  for (int i = 0; i < 3000; i++) fwrite(&i, sizeof i, 1, f);
  printf("%ld\n", ftell(f));
  long sum = 0;
  for (int i = 2999; i >= 0; i -= 7) {
    int v;
    fseek(f, i * 4L, SEEK_SET);
    if (fread(&v, sizeof v, 1, f) == 1) sum += v;
  }
  fseek(f, -8, SEEK_END);
  int last[4], n = (int)fread(last, 4, 4, f);
  printf("%ld %d %d %d %d\n", sum, n, last[0], last[1], feof(f) != 0);
  clearerr(f);
  rewind(f);
  fputs("text at the start", f);
  fflush(f);
  ftruncate(fileno(f), 40);
  fseek(f, 0, SEEK_END);
  printf("%ld\n", ftell(f));
  fclose(f);
  f = fopen("data.bin", "a+");
  fprintf(f, "appended %d\n", 42);
  fseek(f, 5, SEEK_SET);
  char line[64];
  printf("%s|%zu\n", fgets(line, 13, f) ? line : "none", fread(line, 1, 64, f));
  fclose(f);
  printf("%d %d %d\n", rename("data.bin", "other.bin"), fopen("data.bin", "r") == NULL, access("other.bin", R_OK | W_OK));
  f = freopen("other.bin", "r", stdin);
  printf("%c%c %d\n", getchar(), getchar(), ungetc('X', stdin));
  printf("%c%c\n", getchar(), getchar());
  fclose(f);
  printf("%d %d\n", remove("other.bin"), remove("other.bin"));
}
