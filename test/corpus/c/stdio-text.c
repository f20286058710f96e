/* Lines, words and numbers read back: fgets, getline, getdelim, fscanf, ungetc, buffers of several kinds. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  FILE *f = fopen("lines.txt", "w");
  char buffer[77];
  setvbuf(f, buffer, _IOFBF, sizeof buffer);
  for (int i = 0; i < 60; i++) fprintf(f, "%d %s %.3f %x%s", i, i % 3 ? "fizz" : "b:u:z:z", i / 7.0, i * 999, i % 5 ? "\n" : "  \n\n");
  fclose(f);
  f = fopen("lines.txt", "r");
  setvbuf(f, NULL, _IONBF, 0);
  char *line = NULL, word[20];
  size_t size = 0, total = 0;
  int count = 0, n, k;
  unsigned x;
  double d, sum = 0;
  for (int i = 0; i < 20; i++) total += (size_t)getline(&line, &size, f);
  while ((k = fscanf(f, "%d %19s %lf %x", &n, word, &d, &x)) == 4) count += n, sum += d + x, total += strlen(word);
  printf("%zu %d %.6f %d\n", total, count, sum, k);
  rewind(f);
  for (int i = 0; i < 5; i++) printf("%zd %s|", getdelim(&line, &size, ':', f), line);
  int c = fgetc(f);
  ungetc('?', f);
  printf("%c%c%c %ld\n", c, fgetc(f), fgetc(f), ftell(f));
  free(line);
  fclose(f);
  char *memory;
  size_t length;
  f = open_memstream(&memory, &length);
  for (int i = 0; i < 50; i++) fprintf(f, "%d,", i * i);
  fclose(f);
  printf("%zu %.30s\n", length, memory);
  f = fmemopen(memory, length, "r");
  int a, b;
  fscanf(f, "%d,%d", &a, &b);
  printf("%d %d\n", a, b);
  fclose(f);
  free(memory);
  remove("lines.txt");
}
