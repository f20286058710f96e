/* Search: eight queens, a knight's tour, a sudoku, coin change, the game of life. */
#include <stdio.h>
#include <string.h>

static int queens(int n, unsigned columns, unsigned left, unsigned right) {
  unsigned all = (1u << n) - 1, free = all & ~(columns | left | right);
  if (columns == all) return 1;
  int count = 0;
  while (free != 0) {
    unsigned bit = free & -free;
    free ^= bit;
    count += queens(n, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}

static int solve(char *grid) {
  char *at = strchr(grid, '.');
  if (at == NULL) return 1;
  int cell = (int)(at - grid), row = cell / 9, column = cell % 9;
  for (char digit = '1'; digit <= '9'; digit++) {
    int taken = 0;
    for (int i = 0; i < 9 && !taken; i++)
      taken = grid[row * 9 + i] == digit || grid[i * 9 + column] == digit || grid[(row / 3 * 3 + i / 3) * 9 + column / 3 * 3 + i % 3] == digit;
    if (taken) continue;
    *at = digit;
    if (solve(grid)) return 1;
  }
  *at = '.';
  return 0;
}

int main(void) {
  printf("%d\n", queens(6, 0, 0, 0));
  char grid[] = "534678912672195348198342567859761.23426853791713924856961537284287419635345286.79";
  int solved = solve(grid);
  printf("%d %s\n", solved, grid);
  long ways[201] = {1};
  static const int coins[] = {1, 2, 5, 10, 20, 50, 100, 200};
  for (int c = 0; c < 8; c++)
    for (int v = coins[c]; v <= 200; v++) ways[v] += ways[v - coins[c]];
  printf("%ld\n", ways[200]);
  char board[2][12][12] = {{{0}}};
  memcpy(board[0][2] + 3, "\0\1\0", 3);
  memcpy(board[0][3] + 3, "\0\0\1", 3);
  memcpy(board[0][4] + 3, "\1\1\1", 3);
  for (int t = 0; t < 8; t++)
    for (int y = 1; y < 11; y++)
      for (int x = 1; x < 11; x++) {
        int n = -board[t & 1][y][x];
        for (int k = 0; k < 9; k++) n += board[t & 1][y + k / 3 - 1][x + k % 3 - 1];
        board[~t & 1][y][x] = n == 3 || (n == 2 && board[t & 1][y][x]);
      }
  for (int y = 1; y < 11; y++) {
    for (int x = 1; x < 11; x++) putchar(board[0][y][x] ? '#' : '.');
    putchar('\n');
  }
  return 0;
}
