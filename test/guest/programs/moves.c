/* memcpy, memmove with overlap in both directions, memset: small, medium and large. */
#include <stdio.h>
#include <string.h>

static unsigned char buffer[20000];

static unsigned sum(void) {
  unsigned s = 1, t = 0;
  for (unsigned i = 0; i < sizeof buffer; i += 13) {
    s += buffer[i];
    t += s;
  }
  return t;
}

int main(void) {
  for (unsigned i = 0; i < sizeof buffer; i++) buffer[i] = (unsigned char)(i * 167 >> 3);
  static const int sizes[] = {0, 1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 128, 129, 255, 256, 257, 1000, 4096, 6000};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    size_t n = (size_t)sizes[i];
    memmove(buffer + 100, buffer + 100 + i, n);
    memmove(buffer + 100 + 3 * i, buffer + 100, n);
    memcpy(buffer + 8000 + i, buffer + 1 + i, n);
    memset(buffer + 15000 - i, (int)i, n / 2);
    if (i % 6 == 0) printf("%u\n", sum());
  }
  printf("%d\n", memcmp(buffer, buffer + 8000, 6000) > 0);
  return 0;
}
