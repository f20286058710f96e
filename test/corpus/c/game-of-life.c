/* Cells in bits of words, neighbours by full adders. */
#include <stdint.h>
#include <stdio.h>

#define N 64
static uint64_t rol(uint64_t x, int n) { return x << (n & 63) | x >> (-n & 63); }
static void add(uint64_t *ones, uint64_t *twos, uint64_t *fours, uint64_t x) {
  uint64_t c = *ones & x, d = *twos & c;
  *ones ^= x, *twos ^= c, *fours |= d;
}

int main(void) {
  uint64_t board[N], next[N], s = 0x2545f4914f6cdd1d;
  for (int i = 0; i < N; i++) board[i] = s = s * 6364136223846793005u + 1442695040888963407u, board[i] &= s >> 7;
  for (int t = 0; t <= 60; t++) {
    int alive = 0;
    for (int i = 0; i < N; i++) alive += __builtin_popcountll(board[i]);
    if (t % 10 == 0) printf("%d %d\n", t, alive);
    for (int i = 0; i < N; i++) {
      uint64_t a = 0, b = 0, c = 0, rows[] = {board[(i + N - 1) % N], board[i], board[(i + 1) % N]};
      for (int k = 0; k < 3; k++) add(&a, &b, &c, rol(rows[k], 1)), add(&a, &b, &c, rol(rows[k], -1)), k != 1 ? add(&a, &b, &c, rows[k]) : (void)0;
      next[i] = b & ~c & (a | board[i]);
    }
    for (int i = 0; i < N; i++) board[i] = next[i];
  }
  for (int i = 0; i < N; i += 9) printf("%016llx\n", (unsigned long long)board[i]);
}
