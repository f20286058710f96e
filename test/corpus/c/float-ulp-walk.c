/* Neighbours of floats as integers, distances in units of the last place, across zero and powers of two. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int64_t order(double d) { int64_t i; memcpy(&i, &d, 8); return i < 0 ? INT64_MIN - i : i; }
static double back(int64_t i) { double d; i = i < 0 ? INT64_MIN - i : i; memcpy(&d, &i, 8); return d; }

int main(void) {
  volatile double starts[] = {0, 1, -1, 1024, 5e-324, 2.2250738585072014e-308, 0.1};
  for (int k = 0; k < 7; k++) {
    double x = starts[k];
    for (int64_t n = -2; n <= 2; n++) printf("%a ", back(order(x) + n));
    printf("%lld %lld %d\n", (long long)(order(nextafter(x, 10)) - order(x)), (long long)(order(x * 1.0000000001) - order(x)), order(x) > order(-x));
  }
  printf("%lld\n", (long long)(order(1) - order(-1)) / 1000000007);
}
