/* Offsets, alignment, packing, flexible arrays, anonymous members, compound literals, designated initialisers. */
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct A { char c; double d; short s; };
struct __attribute__((packed)) P { char c; double d; short s; long double l; };
struct Over { alignas(64) int x; char y; };
struct Flex { int n; double values[]; };
struct Anon { int kind; union { struct { int a, b; }; double d; char text[8]; }; };
static struct { int a[5]; struct A b[2]; const char *s; } table = {.a = {[3] = 7, [1] = 5, 6}, .b[1] = {.s = 9, .d = 2.5}, .s = "init"};

int main(void) {
  printf("%zu %zu %zu %zu\n", offsetof(struct A, d), offsetof(struct A, s), sizeof(struct A), alignof(struct A));
  printf("%zu %zu %zu %zu %zu\n", offsetof(struct P, d), offsetof(struct P, l), sizeof(struct P), sizeof(struct Over), alignof(struct Over));
  struct Over over[3];
  printf("%d %td\n", (int)((size_t)over % 64), (char *)&over[1] - (char *)&over[0]);
  struct Flex *f = malloc(sizeof *f + 10 * sizeof(double));
  f->n = 10;
  for (int i = 0; i < f->n; i++) f->values[i] = i * 1.5;
  double sum = 0;
  for (int i = 0; i < f->n; i++) sum += f->values[i];
  free(f);
  struct P p[3];
  memset(p, 0, sizeof p);
  for (int i = 0; i < 3; i++) p[i] = (struct P){(char)('a' + i), i / 3.0, (short)-i, i * 1e1000L};
  struct Anon n = {.kind = 1, .a = 3, .b = 4};
  printf("%g %c %g %d %Lg %d %d %zu\n", sum, p[2].c, p[1].d, p[2].s, p[2].l, n.a, n.b, sizeof n);
  strcpy(n.text, "union");
  printf("%s %d %d %d %d %d %g %s\n", n.text, n.a, table.a[1], table.a[2], table.a[3], table.b[1].s, table.b[1].d, table.s);
  int *literal = (int[]){1, 2, 3, [6] = 4};
  printf("%d %d\n", literal[2] + literal[6], ((struct A){.s = 3}).s);
}
