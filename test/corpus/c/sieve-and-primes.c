/* Sieves in bytes, in bits and segmented give the same primes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 60000
static uint8_t bytes[N];
static uint64_t bits[N / 64 + 1];

int main(void) {
  memset(bytes, 1, sizeof bytes);
  for (int i = 2; i * i < N; i++) if (bytes[i]) for (int j = i * i; j < N; j += i) bytes[j] = 0;
  memset(bits, 0xaa, sizeof bits);
  for (int i = 3; i * i < N; i += 2) if (bits[i / 64] >> (i % 64) & 1) for (int j = i * i; j < N; j += 2 * i) bits[j / 64] &= ~(1ull << (j % 64));
  int a = 0, b = 1, c = 0, segment = 1000, gap = 0, last = 2;
  for (int i = 2; i < N; i++) {
    if (bytes[i]) { a++; if (i - last > gap) gap = i - last; last = i; }
    b += i > 2 && i % 2 && bits[i / 64] >> (i % 64) & 1;
  }
  char *marks = malloc((size_t)segment);
  for (int low = 2; low < N; low += segment) {
    memset(marks, 1, (size_t)segment);
    for (int p = 2; p * p < low + segment; p++)
      if (bytes[p]) for (int j = p * p > low ? p * p : (low + p - 1) / p * p; j < low + segment; j += p) marks[j - low] = 0;
    for (int i = 0; i < segment && low + i < N; i++) c += marks[i];
  }
  free(marks);
  printf("%d %d %d %d %d\n", a, b, c, gap, last);
}
