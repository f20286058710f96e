/* LZ77 with Huffman codes, there and back. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t in[6000], packed[9000], unpacked[6000], text[9000];
static int lz(const uint8_t *p, int n, uint8_t *to) {
  int out = 0, head[4096];
  memset(head, -1, sizeof head);
  for (int i = 0; i < n;) {
    int best = 0, from = 0;
    if (i + 3 < n) {
      int h = (p[i] * 2654435761u ^ p[i + 1] * 40503u ^ p[i + 2] * 97u) & 4095, c = head[h];
      if (c >= 0 && i - c < 4000) while (i + best < n && best < 250 && p[c + best] == p[i + best]) best++;
      from = i - c, head[h] = i;
    }
    if (best >= 4) to[out++] = 255, to[out++] = (uint8_t)best, to[out++] = (uint8_t)from, to[out++] = (uint8_t)(from >> 8), i += best;
    else { if (p[i] == 255) to[out++] = 255, to[out++] = 0; else to[out++] = p[i]; i++; }
  }
  return out;
}
static int unlz(const uint8_t *p, int n, uint8_t *to) {
  int out = 0;
  for (int i = 0; i < n;) {
    if (p[i] != 255) { to[out++] = p[i++]; continue; }
    int length = p[i + 1];
    if (length == 0) { to[out++] = 255, i += 2; continue; }
    int from = p[i + 2] | p[i + 3] << 8;
    while (length--) to[out] = to[out - from], out++;
    i += 4;
  }
  return out;
}
static int bits(const uint8_t *p, int n) {
  long weight[511];
  int parent[511] = {0}, m = 0, count[256] = {0};
  for (int i = 0; i < n; i++) count[p[i]]++;
  for (int i = 0; i < 256; i++) if (count[i]) weight[m++] = count[i];
  int alive[511], leaves = m, total = 0;
  for (int i = 0; i < m; i++) alive[i] = 1;
  for (int k = leaves; k > 1; k--) {
    int a = -1, b = -1;
    for (int i = 0; i < m; i++) if (alive[i]) { if (a < 0 || weight[i] < weight[a]) b = a, a = i; else if (b < 0 || weight[i] < weight[b]) b = i; }
    weight[m] = weight[a] + weight[b], total += (int)weight[m], alive[a] = alive[b] = 0, alive[m++] = 1;
  }
  return total;
}

int main(void) {
  unsigned s = 4;
  for (int i = 0; i < 6000; i++) in[i] = i % 700 < 400 ? "the rain in Spain stays mainly on the plain "[i % 44] : (uint8_t)((s = s * 69069 + 1) >> 26);
  int n = lz(in, 6000, packed), m = unlz(packed, n, unpacked);
  printf("%d %d %d %d %d\n", n, m, memcmp(in, unpacked, 6000), bits(in, 6000), bits(packed, n));
}
