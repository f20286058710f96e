/* Arrays of variable length, of two dimensions and as parameters, and alloca in loops. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int trace(int n, int m[n][n]) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += m[i][i];
  return sum;
}
static int vla(int n) {
  int a[n][n], b[n][n], c[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = i * 3 + j, b[i][j] = i - 2 * j;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
    }
  return trace(n, c) + (int)sizeof c;
}
struct Node { struct Node *next; int value; };
static int list(int n) {
  struct Node *head = NULL;
  for (int i = 0; i < n; i++) {
    struct Node *node = alloca(sizeof *node + (size_t)i);
    memset(node, i, sizeof *node + (size_t)i);
    node->next = head;
    node->value = i * i;
    head = node;
  }
  int sum = 0;
  for (; head; head = head->next) sum = sum * 3 + head->value;
  return sum;
}
static long nested(int depth) {
  char buffer[depth * 7 + 1];
  memset(buffer, 'a' + depth % 26, sizeof buffer);
  long below = depth > 0 ? nested(depth - 1) : 0;
  return below * 31 + buffer[depth * 3] + (long)sizeof buffer;
}

int main(void) {
  for (volatile int n = 1; n < 24; n += 4) printf("%d %d %d %ld\n", n, vla(n), list(n * 9), nested(n * 5));
}
