/*
 * Runs the example's functions on given numbers, bit for bit. One request a line on the standard input:
 *   NAME N BITS...        sums and Exact: N numbers; Dot: 2 N; polynomials: N + 1 coefficients, then the point
 *   Format 1 BITS
 * Numbers are the 16 hexadecimal digits of a double. One answer a line: such a number, or text for Format.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exact.h"
#include "hexfloat.h"
#include "ieee.h"
#include "summation.h"

static double read_double(void) {
  uint64_t bits;
  if (scanf("%" SCNx64, &bits) != 1) exit(3);
  return double_of(bits);
}

static double exact_sum(const double *x, size_t n) {
  struct exact sum = {{0}};
  for (size_t i = 0; i < n; i++) exact_add(&sum, x[i]);
  return exact_round(&sum);
}

static int is(const char *name, const char *other) { return strcmp(name, other) == 0; }

static double run(const char *name, double *x, size_t n) {
  if (is(name, "Sum")) return Sum(x, n);
  if (is(name, "Sum2")) return Sum2(x, n);
  if (is(name, "DDSum")) return DDSum(x, n);
  if (is(name, "iFastSum")) return iFastSum(x, n);
  if (is(name, "AccSum")) return AccSum(x, n);
  if (is(name, "FastAccSum")) return FastAccSum(x, n);
  if (is(name, "HybridSum")) return HybridSum(x, n);
  if (is(name, "OnlineExactSum")) return OnlineExactSum(x, n);
  if (is(name, "Exact")) return exact_sum(x, n);
  if (is(name, "Dot")) return Dot(x, x + n, n);
  if (is(name, "Horner")) return Horner(x, n, x[n + 1]);
  if (is(name, "CompHorner")) return CompHorner(x, n, x[n + 1]);
  if (is(name, "DDHorner")) return DDHorner(x, n, x[n + 1]);
  exit(4);
}

int main(void) {
  char name[32];
  size_t n;
  while (scanf("%31s %zu", name, &n) == 2) {
    size_t numbers = is(name, "Dot") ? 2 * n : strstr(name, "Horner") != 0 ? n + 2 : n;
    double *x = malloc(numbers * sizeof *x); /* exactly: a checker of addresses sees every access beyond */
    for (size_t i = 0; i < numbers; i++) x[i] = read_double();
    if (is(name, "Format")) {
      char text[HEXFLOAT_SIZE];
      format_hex(x[0], text);
      puts(text);
    } else {
      printf("%016" PRIx64 "\n", bits_of(run(name, x, n)));
    }
    free(x);
  }
  return 0;
}
