/* Ackermann, Hanoi, queens, mutual recursion, permutations, tail calls. */
#include <stdio.h>

static int ackermann(int m, int n) { return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1)); }
static long moves;
static void hanoi(int n, int a, int b, int c) { if (n) hanoi(n - 1, a, c, b), moves = moves * 3 % 1000003 + a * 4 + c, hanoi(n - 1, b, a, c); }
static int queens(unsigned all, unsigned cols, unsigned l, unsigned r) {
  if (cols == all) return 1;
  int count = 0;
  for (unsigned free = all & ~(cols | l | r); free; free &= free - 1) {
    unsigned bit = free & -free;
    count += queens(all, cols | bit, (l | bit) << 1, (r | bit) >> 1);
  }
  return count;
}
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int permutations;
static void permute(char *s, int k) {
  if (!s[k]) { permutations = permutations * 7 + s[0] * s[k - 1] % 251; return; }
  for (int i = k; s[i]; i++) {
    char t = s[k]; s[k] = s[i]; s[i] = t;
    permute(s, k + 1);
    t = s[k]; s[k] = s[i]; s[i] = t;
  }
}
static long count_down(long n, long sum) { return n == 0 ? sum : count_down(n - 1, sum * 3 % 1000007 + n); }

int main(void) {
  char text[] = "abcdef";
  hanoi(12, 1, 2, 3);
  permute(text, 0);
  printf("%d %ld %d %d %d %d %ld\n", ackermann(2, 60), moves, queens(0xff, 0, 0, 0), even(3001), odd(3001), permutations, count_down(30000, 1));
}
