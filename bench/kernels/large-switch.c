/* A switch of 20,000 cases, which come in no order, as in generated parsers and simulators: no case is hot. */
#include "kernel.h"

#define CASES 20000

#define CASE(n)                                        \
  case n:                                              \
    x = (x ^ (n * UINT64_C(2654435761) >> 12)) * (n % 97 | 3); \
    if (n % 3 == 0 && x & 4) x += 7;                   \
    if (n % 3 == 1) x ^= x >> 3;                       \
    break;
#define TEN(n)                                                                                      \
  CASE((n) + 0) CASE((n) + 1) CASE((n) + 2) CASE((n) + 3) CASE((n) + 4) CASE((n) + 5) CASE((n) + 6) \
      CASE((n) + 7) CASE((n) + 8) CASE((n) + 9)
#define HUNDRED(n)                                                                              \
  TEN((n) + 0) TEN((n) + 10) TEN((n) + 20) TEN((n) + 30) TEN((n) + 40) TEN((n) + 50) TEN((n) + 60) \
      TEN((n) + 70) TEN((n) + 80) TEN((n) + 90)
#define THOUSAND(n)                                                                         \
  HUNDRED((n) + 0) HUNDRED((n) + 100) HUNDRED((n) + 200) HUNDRED((n) + 300) HUNDRED((n) + 400) \
      HUNDRED((n) + 500) HUNDRED((n) + 600) HUNDRED((n) + 700) HUNDRED((n) + 800) HUNDRED((n) + 900)
#define TEN_THOUSAND(n)                                                                         \
  THOUSAND((n) + 0) THOUSAND((n) + 1000) THOUSAND((n) + 2000) THOUSAND((n) + 3000) THOUSAND((n) + 4000) \
      THOUSAND((n) + 5000) THOUSAND((n) + 6000) THOUSAND((n) + 7000) THOUSAND((n) + 8000) THOUSAND((n) + 9000)

static int32_t order[CASES];

static KEEP uint64_t run(uint64_t x) {
  for (int i = 0; i < CASES; i++) switch (order[i]) {
      TEN_THOUSAND(0)
      TEN_THOUSAND(10000)
    }
  return x;
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 10);
  uint32_t random = 1;
  for (int i = 0; i < CASES; i++) order[i] = i;
  for (int i = CASES - 1; i > 0; i--) {
    random = random * 1664525 + 1013904223;
    int j = (random >> 8) % (i + 1);
    int32_t other = order[i];
    order[i] = order[j];
    order[j] = other;
  }
  uint64_t x = 1;
  for (uint64_t r = 0; r < repetitions; r++) x = run(x);
  return checksum(x);
}
