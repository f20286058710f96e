/* Knapsacks, longest common subsequences, partitions, edit distances, matrix chains, coin changes. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

int main(void) {
  static int best[40][501];
  for (int i = 1; i < 40; i++)
    for (int w = 0; w <= 500; w++) {
      int weight = i * 7 % 23 + 3, value = i * 13 % 37 + weight;
      best[i][w] = MAX(best[i - 1][w], w >= weight ? best[i - 1][w - weight] + value : 0);
    }
  const char *a = "the longest common subsequence of two texts", *b = "texts have common subsequences; the longest counts";
  int n = (int)strlen(a), m = (int)strlen(b);
  static int lcs[64][64], edit[64][64];
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= m; j++) {
      lcs[i][j] = !i || !j ? 0 : a[i - 1] == b[j - 1] ? lcs[i - 1][j - 1] + 1 : MAX(lcs[i - 1][j], lcs[i][j - 1]);
      edit[i][j] = !i || !j ? i + j : MIN(MIN(edit[i - 1][j], edit[i][j - 1]) + 1, edit[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
    }
  static unsigned long ways[1001] = {1};
  int coins[] = {1, 2, 5, 10, 20, 50, 100, 200};
  for (int c = 0; c < 8; c++) for (int v = coins[c]; v <= 1000; v++) ways[v] += ways[v - coins[c]];
  static long chain[30][30];
  int size[31];
  for (int i = 0; i < 31; i++) size[i] = i * 17 % 41 + 5;
  for (int len = 2; len <= 30; len++)
    for (int i = 0; i + len <= 30; i++) {
      int j = i + len - 1;
      chain[i][j] = LONG_MAX;
      for (int k = i; k < j; k++) chain[i][j] = MIN(chain[i][j], chain[i][k] + chain[k + 1][j] + (long)size[i] * size[k + 1] * size[j + 1]);
    }
  printf("%d %d %d %lu %ld\n", best[39][500], lcs[n][m], edit[n][m], ways[1000], chain[0][29]);
}
