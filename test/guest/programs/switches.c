/* Dense switches (jump tables), sparse ones (comparison trees), strings of cases, fall-through. */
#include <stdio.h>

__attribute__((noinline)) static int dense(int x) {
  switch (x) {
    case 0: return 11;
    case 1: return 7;
    case 2: x += 3; /* fall through */
    case 3: return x * 2;
    case 4: return -x;
    case 5: return x << 4;
    case 6: return 0;
    case 7: return x ^ 90;
    case 8: return 1 - x;
    case 9: return x % 4;
    default: return 100;
  }
}
__attribute__((noinline)) static int sparse(long x) {
  switch (x) {
    case -1000000: return 1;
    case -5: return 2;
    case 3: return 3;
    case 77: return 4;
    case 4096: return 5;
    case 1L << 40: return 6;
    case 100 ... 200: return 7;
    default: return 0;
  }
}
__attribute__((noinline)) static int classify(unsigned char c) {
  switch (c) {
    case '0' ... '9': return 1;
    case 'a': case 'e': case 'i': case 'o': case 'u': return 2;
    case ' ': case '\t': case '\n': return 3;
    case '+': case '-': case '*': case '/': case '%': case '^': return 4;
    case 128 ... 255: return 5;
    default: return 6;
  }
}

int main(void) {
  int total = 0;
  for (int i = -3; i < 200; i++) total = total * 3 + dense(i % 13);
  static const long keys[] = {-1000000, -5, 0, 3, 77, 99, 100, 150, 200, 201, 4096, 1L << 40, 1L << 41};
  for (int i = 0; i < 13; i++) total = total * 5 + sparse(keys[i]);
  int classes[7] = {0};
  for (int c = 0; c < 256; c++) classes[classify((unsigned char)c)]++;
  printf("%d %d %d %d %d %d %d\n", total, classes[1], classes[2], classes[3], classes[4], classes[5], classes[6]);
  return 0;
}
