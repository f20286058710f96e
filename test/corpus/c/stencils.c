/* Stencils in one, two and three dimensions over integers, floats and bytes, in place and between buffers. */
#include <stdio.h>
#include <string.h>

static float a[34][34], b[34][34];
static int v[1000], w[1000];
static double c[12][12][12], d[12][12][12];
static unsigned char p[50][50];

int main(void) {
  for (int i = 0; i < 34; i++) for (int j = 0; j < 34; j++) a[i][j] = (float)((i * 7 + j * 13) % 29);
  for (int t = 0; t < 20; t++) {
    for (int i = 1; i < 33; i++) for (int j = 1; j < 33; j++) b[i][j] = 0.2f * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    memcpy(a, b, sizeof a);
  }
  for (int i = 0; i < 1000; i++) v[i] = i * i % 777;
  for (int t = 0; t < 30; t++) {
    for (int i = 2; i < 998; i++) w[i] = (v[i - 2] + 4 * v[i - 1] + 6 * v[i] + 4 * v[i + 1] + v[i + 2]) >> 4;
    for (int i = 2; i < 998; i++) v[i] = w[i] ^ (v[i] & 1);
  }
  for (int i = 0; i < 1728; i++) ((double *)c)[i] = i % 31 * 0.5;
  for (int t = 0; t < 8; t++) {
    for (int i = 1; i < 11; i++) for (int j = 1; j < 11; j++) for (int k = 1; k < 11; k++)
      d[i][j][k] = c[i][j][k] * 0.4 + (c[i - 1][j][k] + c[i + 1][j][k] + c[i][j - 1][k] + c[i][j + 1][k] + c[i][j][k - 1] + c[i][j][k + 1]) * 0.1;
    memcpy(c, d, sizeof c);
  }
  for (int i = 0; i < 2500; i++) ((unsigned char *)p)[i] = (unsigned char)(i * 11);
  for (int t = 0; t < 5; t++) for (int i = 1; i < 49; i++) for (int j = 1; j < 49; j++) {
    unsigned char x = p[i - 1][j] > p[i][j] ? p[i - 1][j] : p[i][j], y = p[i][j - 1] < x ? p[i][j - 1] : x;
    p[i][j] = (unsigned char)((x + y + 1) / 2);
  }
  unsigned h = 0;
  for (int i = 0; i < 1000; i++) h = h * 31 + (unsigned)v[i];
  for (int i = 0; i < 2500; i++) h = h * 31 + ((unsigned char *)p)[i];
  printf("%a %a %a %a %u\n", a[5][6], a[16][20], c[3][4][5], c[9][9][9], h);
}
