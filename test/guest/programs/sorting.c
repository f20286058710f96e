/* Sorts compared: insertion, merge, heap, quick, shell, radix and the library's, on the same numbers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 100 };
typedef void sort(uint32_t *a, int n);

static void insertion(uint32_t *a, int n) {
  for (int i = 1; i < n; i++) {
    uint32_t x = a[i];
    int j = i;
    for (; j > 0 && a[j - 1] > x; j--) a[j] = a[j - 1];
    a[j] = x;
  }
}

static void merge(uint32_t *a, int n) {
  if (n < 2) return;
  uint32_t left[N];
  int half = n / 2, i = 0, j = half, k = 0;
  merge(a, half);
  merge(a + half, n - half);
  memcpy(left, a, (size_t)half * sizeof *a);
  while (i < half) a[k++] = j < n && a[j] < left[i] ? a[j++] : left[i++];
}

static void sift(uint32_t *a, int at, int n) {
  for (int child; (child = 2 * at + 1) < n; at = child) {
    child += child + 1 < n && a[child + 1] > a[child];
    if (a[at] >= a[child]) return;
    uint32_t t = a[at];
    a[at] = a[child];
    a[child] = t;
  }
}

static void heap(uint32_t *a, int n) {
  for (int i = n / 2; i-- > 0;) sift(a, i, n);
  for (int i = n; i-- > 1;) {
    uint32_t t = a[0];
    a[0] = a[i];
    a[i] = t;
    sift(a, 0, i);
  }
}

static void quick(uint32_t *a, int n) {
  while (n > 1) {
    uint32_t pivot = a[n / 2];
    int i = 0, j = n - 1;
    for (;; i++, j--) {
      while (a[i] < pivot) i++;
      while (a[j] > pivot) j--;
      if (i >= j) break;
      uint32_t t = a[i];
      a[i] = a[j];
      a[j] = t;
    }
    quick(a, i);
    a += i;
    n -= i;
    if (i == 0) return;
  }
}

static void shell(uint32_t *a, int n) {
  for (int gap = 57; gap > 0; gap = gap * 4 / 9)
    for (int i = gap; i < n; i++)
      for (int j = i; j >= gap && a[j - gap] > a[j]; j -= gap) {
        uint32_t t = a[j];
        a[j] = a[j - gap];
        a[j - gap] = t;
      }
}

static void radix(uint32_t *a, int n) {
  uint32_t other[N];
  for (int shift = 0; shift < 32; shift += 8) {
    int starts[257] = {0};
    for (int i = 0; i < n; i++) starts[(a[i] >> shift & 255) + 1]++;
    for (int i = 0; i < 256; i++) starts[i + 1] += starts[i];
    for (int i = 0; i < n; i++) other[starts[a[i] >> shift & 255]++] = a[i];
    memcpy(a, other, (size_t)n * sizeof *a);
  }
}

static int compare(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}
static void library(uint32_t *a, int n) { qsort(a, (size_t)n, sizeof *a, compare); }

int main(void) {
  static sort *const sorts[] = {insertion, merge, heap, quick, shell, radix, library};
  for (unsigned s = 0; s < sizeof sorts / sizeof *sorts; s++) {
    uint32_t a[N], x = 1;
    for (int i = 0; i < N; i++) a[i] = x = x * 1664525 + 1013904223;
    sorts[s](a, N);
    uint32_t digest = 0;
    int ordered = 1;
    for (int i = 0; i < N; i++) digest = digest * 31 + a[i];
    for (int i = 1; i < N; i++) ordered &= a[i - 1] <= a[i];
    printf("%u %d %08x\n", s, ordered, digest);
  }
  return 0;
}
