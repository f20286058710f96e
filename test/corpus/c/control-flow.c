/* Loops of all forms, goto into and out of blocks, conditional operators, comma, short circuit, early exits. */
#include <stdio.h>

static int calls;
static int touch(int v) { calls = calls * 2 + v; return v; }
static int find(int n) {
  for (int i = 2, j; i < n; i++) {
    for (j = 2; j < i; j++) {
      if (i % j == 0) goto composite;
      if (j * j > i) break;
    }
    if (i * i > n) return i;
    continue;
  composite:
    if (i > 90) goto out;
  }
out:
  return -1;
}
static int nested(int a, int b) {
  int n = 0;
again:
  while (a > 0) {
    do {
      if (b-- < 0) { b = 5; a -= 2; goto again; }
      n += a ^ b;
      if (n % 7 == 0) continue;
      n++;
    } while (b % 3);
    a--;
  }
  return n;
}

int main(void) {
  for (volatile int n = 0; n < 500; n += 61) printf("%d %d ", find(n), nested(n % 11, n % 13));
  puts("");
  int r = (touch(1) && touch(0) && touch(1)) || (touch(0) || touch(1)) ? touch(1), touch(0) : touch(9);
  printf("%d %d\n", r, calls);
  unsigned x = 1;
  for (int i = 0; i < 50; i++) x = x & 1 ? x * 3 + 1 : x % 3 == 0 ? x / 3 : x > 1000 ? x - 999 : x / 2 + i;
  printf("%u\n", x);
  int i = 0, a[10] = {0};
  while (a[i] = i * i, ++i < 10) {}
  for (;;) if (i-- == 0 || a[i] < 20) break;
  printf("%d %d\n", i, a[9]);
}
