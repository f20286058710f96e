/* Six sorts of the same numbers give the same order. */
#include <stdio.h>
#include <string.h>

#define N 300
static int data[N], v[N], t[N];
static void bubble(int *a, int n) { for (int i = n; i-- > 1;) for (int j = 0; j < i; j++) if (a[j] > a[j + 1]) { int x = a[j]; a[j] = a[j + 1]; a[j + 1] = x; } }
static void insertion(int *a, int n) { for (int i = 1; i < n; i++) { int x = a[i], j = i; for (; j && a[j - 1] > x; j--) a[j] = a[j - 1]; a[j] = x; } }
static void shell(int *a, int n) { for (int g = n / 2; g; g /= 2) for (int i = g; i < n; i++) { int x = a[i], j = i; for (; j >= g && a[j - g] > x; j -= g) a[j] = a[j - g]; a[j] = x; } }
static void quick(int *a, int n) {
  if (n < 2) return;
  int p = a[n / 2], i = 0, j = n - 1;
  for (;; i++, j--) {
    while (a[i] < p) i++;
    while (a[j] > p) j--;
    if (i >= j) break;
    int x = a[i]; a[i] = a[j]; a[j] = x;
  }
  quick(a, i), quick(a + i, n - i);
}
static void merge(int *a, int n) {
  if (n < 2) return;
  int h = n / 2, i = 0, j = h, k = 0;
  merge(a, h), merge(a + h, n - h);
  while (i < h && j < n) t[k++] = a[i] <= a[j] ? a[i++] : a[j++];
  while (i < h) t[k++] = a[i++];
  memcpy(a, t, (size_t)k * sizeof *a);
}
static void sift(int *a, int i, int n) {
  for (int c; (c = 2 * i + 1) < n; i = c) {
    if (c + 1 < n && a[c] < a[c + 1]) c++;
    if (a[i] >= a[c]) break;
    int x = a[i]; a[i] = a[c]; a[c] = x;
  }
}
static void heap(int *a, int n) {
  for (int i = n / 2; i-- > 0;) sift(a, i, n);
  for (int i = n; i-- > 1;) { int x = a[0]; a[0] = a[i]; a[i] = x; sift(a, 0, i); }
}
static void radix(int *a, int n) {
  for (int shift = 0; shift < 32; shift += 8) {
    int count[257] = {0};
    for (int i = 0; i < n; i++) count[((unsigned)a[i] ^ 0x80000000) >> shift & 255]++;
    for (int i = 0, s = 0; i < 256; i++) { int c = count[i]; count[i] = s; s += c; }
    for (int i = 0; i < n; i++) t[count[((unsigned)a[i] ^ 0x80000000) >> shift & 255]++] = a[i];
    memcpy(a, t, (size_t)n * sizeof *a);
  }
}

int main(void) {
  void (*sorts[])(int *, int) = {bubble, insertion, shell, quick, merge, heap, radix};
  unsigned s = 5;
  for (int i = 0; i < N; i++) data[i] = (int)((s = s * 1103515245 + 12345) ^ s >> 9) >> (i % 20);
  for (int k = 0; k < 7; k++) {
    memcpy(v, data, sizeof v);
    sorts[k](v, N);
    unsigned h = 0;
    for (int i = 0; i < N; i++) h = h * 31 + (unsigned)v[i];
    printf("%u %d %d\n", h, v[0], v[N - 1]);
  }
}
