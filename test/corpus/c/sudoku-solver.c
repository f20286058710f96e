/* A Sudoku by bit sets and backtracking; a knight's tour by Warnsdorff's rule. */
#include <stdio.h>
#include <string.h>

static int grid[81], rows[9], cols[9], boxes[9], steps;
static int solve(void) {
  int best = -1, options = 0, fewest = 10;
  steps++;
  for (int i = 0; i < 81; i++)
    if (!grid[i]) {
      int free = 0x1ff & ~(rows[i / 9] | cols[i % 9] | boxes[i / 27 * 3 + i % 9 / 3]), n = __builtin_popcount((unsigned)free);
      if (n < fewest) fewest = n, best = i, options = free;
    }
  if (best < 0) return 1;
  for (; options; options &= options - 1) {
    int bit = options & -options, r = best / 9, c = best % 9, b = best / 27 * 3 + best % 9 / 3;
    grid[best] = __builtin_ctz((unsigned)bit) + 1, rows[r] |= bit, cols[c] |= bit, boxes[b] |= bit;
    if (solve()) return 1;
    grid[best] = 0, rows[r] ^= bit, cols[c] ^= bit, boxes[b] ^= bit;
  }
  return 0;
}

int main(void) {
  const char *puzzle = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
  for (int i = 0; i < 81; i++)
    if (puzzle[i] != '.') {
      grid[i] = puzzle[i] - '0';
      int bit = 1 << (grid[i] - 1);
      rows[i / 9] |= bit, cols[i % 9] |= bit, boxes[i / 27 * 3 + i % 9 / 3] |= bit;
    }
  printf("%d ", solve());
  for (int i = 0; i < 81; i++) putchar('0' + grid[i]);
  printf(" %d\n", steps);
  static const int dx[] = {1, 2, 2, 1, -1, -2, -2, -1}, dy[] = {2, 1, -1, -2, -2, -1, 1, 2};
  int board[8][8] = {{0}}, x = 0, y = 0, n = 1;
  for (board[0][0] = 1;; board[y][x] = ++n) {
    int fewest = 9, bx = -1, by = -1;
    for (int k = 0; k < 8; k++) {
      int u = x + dx[k], v = y + dy[k], count = 0;
      if (u < 0 || v < 0 || u > 7 || v > 7 || board[v][u]) continue;
      for (int m = 0; m < 8; m++) { int p = u + dx[m], q = v + dy[m]; count += p >= 0 && q >= 0 && p < 8 && q < 8 && !board[q][p]; }
      if (count < fewest) fewest = count, bx = u, by = v;
    }
    if (bx < 0) break;
    x = bx, y = by;
  }
  int hash = 0;
  for (int i = 0; i < 64; i++) hash = hash * 31 + ((int *)board)[i];
  printf("%d %d\n", n, hash);
}
