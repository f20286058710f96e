/* Shortest paths by three methods on one graph, strongly connected components, a minimum spanning tree. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define V 60
static int w[V][V], dist[V][V], bell[V], dijk[V];
static int at[V], low[V], stack[V], sp, seen, components, in_stack[V];
static void tarjan(int v) {
  at[v] = low[v] = ++seen;
  stack[sp++] = v, in_stack[v] = 1;
  for (int u = 0; u < V; u++)
    if (w[v][u] < 1000) {
      if (!at[u]) { tarjan(u); if (low[u] < low[v]) low[v] = low[u]; }
      else if (in_stack[u] && at[u] < low[v]) low[v] = at[u];
    }
  if (low[v] == at[v]) {
    components++;
    do in_stack[stack[--sp]] = 0; while (stack[sp] != v);
  }
}

int main(void) {
  unsigned s = 12;
  for (int i = 0; i < V; i++)
    for (int j = 0; j < V; j++) w[i][j] = (s = s * 69069 + 1) >> 28 < 2 ? (int)(s >> 8) % 90 + 1 : 100000;
  memcpy(dist, w, sizeof w);
  for (int i = 0; i < V; i++) dist[i][i] = 0;
  for (int k = 0; k < V; k++) for (int i = 0; i < V; i++) for (int j = 0; j < V; j++) if (dist[i][k] + dist[k][j] < dist[i][j]) dist[i][j] = dist[i][k] + dist[k][j];
  for (int i = 0; i < V; i++) bell[i] = dijk[i] = 100000000;
  bell[0] = dijk[0] = 0;
  for (int round = 0; round < V; round++) for (int i = 0; i < V; i++) for (int j = 0; j < V; j++) if (w[i][j] < 1000 && bell[i] + w[i][j] < bell[j]) bell[j] = bell[i] + w[i][j];
  char done[V] = {0};
  for (int round = 0; round < V; round++) {
    int b = -1;
    for (int i = 0; i < V; i++) if (!done[i] && (b < 0 || dijk[i] < dijk[b])) b = i;
    done[b] = 1;
    for (int j = 0; j < V; j++) if (w[b][j] < 1000 && dijk[b] + w[b][j] < dijk[j]) dijk[j] = dijk[b] + w[b][j];
  }
  long sum = 0;
  int same = 1;
  for (int i = 0; i < V; i++) {
    sum = sum * 7 + bell[i] % 1000;
    same &= bell[i] == dijk[i] && (bell[i] > 90000 || bell[i] == dist[0][i]);
    if (!at[i]) tarjan(i);
  }
  int in[V] = {1}, total = 0;
  for (int k = 1; k < V; k++) {
    int best = INT_MAX, to = -1;
    for (int i = 0; i < V; i++) if (in[i]) for (int j = 0; j < V; j++) if (!in[j]) { int c = w[i][j] < w[j][i] ? w[i][j] : w[j][i]; if (c < best) best = c, to = j; }
    in[to] = 1, total += best;
  }
  printf("%ld %d %d %d\n", sum, same, components, total);
}
