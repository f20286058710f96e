/* Pointers to arrays, of pointers, arithmetic in all directions, multi-dimensional subscripts, negative indexes. */
#include <stddef.h>
#include <stdio.h>

static int (*rows(int (*m)[4], int n))[4] { return m + n; }
static int sum(const int *p, ptrdiff_t stride, int n) { int s = 0; for (; n--; p += stride) s = s * 3 + *p; return s; }
static const char *const names[][3] = {{"zero", "one", "two"}, {"null", "eins", "zwei"}};

int main(void) {
  int m[5][4], *flat = &m[0][0], **list[2];
  for (int i = 0; i < 20; i++) flat[i] = i * i - 7;
  int *p = flat + 10, *q = &m[4][3];
  printf("%d %d %d %td %d\n", p[-3], *(q - 1), 2[p], q - p, (*rows(m, 2))[1]);
  printf("%d %d %d %d\n", sum(flat, 1, 20), sum(q, -1, 20), sum(flat + 3, 4, 5), sum(flat, 5, 4));
  int *pointers[] = {p, q, flat}, **pp = pointers;
  list[0] = pp, list[1] = pp + 2;
  printf("%d %d %d\n", **list[1], *list[0][1], (*++pp)[-2]);
  int cube[3][3][3];
  for (int i = 0; i < 27; i++) ((int *)cube)[i] = i;
  int (*plane)[3] = cube[1];
  printf("%d %d %zu %s %c\n", plane[2][1], cube[2][0][2] + (*(*(cube + 1) + 1))[1], sizeof plane[0], names[1][2], names[0][1][1] + 1);
  char bytes[16] = {0};
  *(long *)(bytes + 3) = 0x1122334455667788;
  *(short *)(bytes + 5) += 1;
  for (int i = 0; i < 12; i++) printf("%02x", (unsigned char)bytes[i]);
  for (char *s = "pointers" + 7; s >= "pointers" && *s != 'o'; s--) putchar(*s);
  puts("");
}
