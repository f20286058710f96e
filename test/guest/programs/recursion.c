/* Deep and wide recursion: Fibonacci, Ackermann, Hanoi, permutations, mutual recursion. */
#include <stdio.h>

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static int moves;
static void hanoi(int n, char from, char to, char by) {
  if (n == 0) return;
  hanoi(n - 1, from, by, to);
  moves += from * to;
  hanoi(n - 1, by, to, from);
}

static unsigned permutations(char *text, int n) {
  if (n == 1) return (unsigned)text[0] * 3 + (unsigned)text[1];
  unsigned digest = 0;
  for (int i = 0; i < n; i++) {
    digest = digest * 31 + permutations(text, n - 1);
    int other = n % 2 == 0 ? i : 0;
    char t = text[other];
    text[other] = text[n - 1];
    text[n - 1] = t;
  }
  return digest;
}

int main(void) {
  char letters[] = "abcdef";
  hanoi(8, 'a', 'b', 'c');
  printf("%d %d %d %d %u\n", fibonacci(15), ackermann(2, 9), is_even(501), moves, permutations(letters, 6));
  return fibonacci(10);
}
