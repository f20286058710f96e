/* Tables filled from their own earlier entries: binomials, Catalan, Stirling and Bell numbers, partitions. */
#include <stdio.h>

int main(void) {
  static unsigned long c[40][40], s[25][25], p[120];
  for (int n = 0; n < 40; n++) for (int k = 0; k <= n; k++) c[n][k] = k == 0 || k == n ? 1 : c[n - 1][k - 1] + c[n - 1][k];
  s[0][0] = 1;
  for (int n = 1; n < 25; n++) for (int k = 1; k <= n; k++) s[n][k] = s[n - 1][k - 1] + (unsigned long)k * s[n - 1][k];
  p[0] = 1;
  for (int k = 1; k < 120; k++) for (int n = k; n < 120; n++) p[n] += p[n - k];
  unsigned long bell = 0;
  for (int k = 0; k < 25; k++) bell += s[20][k];
  printf("%lu %lu %lu %lu %lu\n", c[39][19], c[38][19] / 20, s[24][12], bell, p[119]);
}
