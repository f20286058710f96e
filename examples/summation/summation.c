/*
 * summation ALGORITHM N DISTRIBUTION [DELTA] [--check]
 *
 * Fills N elements, calls the algorithm once, and prints the result. The start-up is short on purpose: what a
 * measurement of the run shows is the algorithm and the filling.
 */
#include "summation.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data.h"
#include "exact.h"
#include "hexfloat.h"

#define LARGEST_N 10000000
#define LARGEST_DELTA 1800
#define DEFAULT_DELTA 500

/* Where the polynomials are evaluated: near 1, so that no power of it leaves the range of the coefficients. */
#define POINT 0x1.fff9dcb21p-1

struct algorithm {
  const char *name;
  enum { READS, IN_PLACE, POLYNOMIAL, PAIR } kind;
  double (*reads)(const double *x, size_t n);
  double (*in_place)(double *x, size_t n);
  double (*polynomial)(const double *a, size_t n, double x);
};

static const struct algorithm algorithms[] = {
    {"Sum", READS, Sum, 0, 0},
    {"Sum2", READS, Sum2, 0, 0},
    {"DDSum", READS, DDSum, 0, 0},
    {"iFastSum", IN_PLACE, 0, iFastSum, 0},
    {"AccSum", IN_PLACE, 0, AccSum, 0},
    {"FastAccSum", IN_PLACE, 0, FastAccSum, 0},
    {"HybridSum", READS, HybridSum, 0, 0},
    {"OnlineExactSum", READS, OnlineExactSum, 0, 0},
    {"Dot", PAIR, 0, 0, 0},
    {"Horner", POLYNOMIAL, 0, 0, Horner},
    {"CompHorner", POLYNOMIAL, 0, 0, CompHorner},
    {"DDHorner", POLYNOMIAL, 0, 0, DDHorner},
};

static void print(int stream, const char *text) {
  size_t length = strlen(text);
  while (length > 0) {
    ssize_t written = write(stream, text, length);
    if (written <= 0) exit(1);
    text += written;
    length -= (size_t)written;
  }
}

static void print_number(double value) {
  char text[HEXFLOAT_SIZE];
  format_hex(value, text);
  print(1, text);
}

static void usage(const char *problem) {
  print(2, "summation: ");
  print(2, problem);
  print(2,
        "\nusage: summation ALGORITHM N DISTRIBUTION [DELTA] [--check]\n"
        "  ALGORITHM     Sum Sum2 DDSum iFastSum AccSum FastAccSum HybridSum OnlineExactSum\n"
        "                Dot Horner CompHorner DDHorner\n"
        "  N             how many elements, up to 10000000 (the degree of a polynomial)\n"
        "  DISTRIBUTION  dU: exponents uniform in [-DELTA/2, DELTA/2]\n"
        "                dD: all exponents -DELTA/2, the last one DELTA/2\n"
        "                dC: exponents as dU, cancelling to a condition number beyond 2^DELTA\n"
        "  DELTA         even, up to 1800; 500 when absent\n"
        "  --check       also prints the exact sum, rounded, and the error (sums only)\n");
  exit(2);
}

/* A decimal number up to limit, else -1. */
static long parse(const char *text, long limit) {
  long value = 0;
  if (*text == 0) return -1;
  for (; *text != 0; text++) {
    if (*text < '0' || *text > '9') return -1;
    value = value * 10 + (*text - '0');
    if (value > limit) return -1;
  }
  return value;
}

static int parse_distribution(const char *name) {
  if (strcmp(name, "dU") == 0) return UNIFORM;
  if (strcmp(name, "dD") == 0) return DIRAC;
  return strcmp(name, "dC") == 0 ? CANCELLING : -1;
}

static const struct algorithm *find(const char *name) {
  for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
    if (strcmp(algorithms[i].name, name) == 0) return &algorithms[i];
  }
  return 0;
}

/* Two lines: the exact sum rounded to nearest, and result - exact sum rounded once. */
static void print_check(struct exact *sum, double result) {
  print(1, "exact ");
  print_number(exact_round(sum));
  for (size_t i = 0; i < EXACT_LIMBS; i++) sum->limb[i] = ~sum->limb[i];
  exact_add(sum, 0x1p-1074); /* -s = ~s + 1 in two's complement, and the lowest bit is worth 2^-1074 */
  exact_add(sum, result);
  print(1, "\nerror ");
  print_number(exact_round(sum));
  print(1, "\n");
}

int main(int argc, char **argv) {
  int check = argc > 1 && strcmp(argv[argc - 1], "--check") == 0;
  if (check) argc--;
  if (argc < 4 || argc > 5) usage("three or four arguments are needed");

  const struct algorithm *algorithm = find(argv[1]);
  if (algorithm == 0) usage("no such algorithm");
  long n = parse(argv[2], LARGEST_N);
  if (n < 0) usage("N is not a number from 0 to 10000000");
  int distribution = parse_distribution(argv[3]);
  if (distribution < 0) usage("the distribution is none of dU, dD and dC");
  long delta = argc == 5 ? parse(argv[4], LARGEST_DELTA) : DEFAULT_DELTA;
  if (delta < 0 || delta % 2 != 0) usage("DELTA is not an even number from 0 to 1800");
  if (check && (algorithm->kind == POLYNOMIAL || algorithm->kind == PAIR)) usage("--check is for sums only");

  size_t count = (size_t)n + (algorithm->kind == POLYNOMIAL);
  size_t vectors = algorithm->kind == PAIR ? 2 : 1;
  double *x = malloc((vectors * count + 1) * sizeof *x); /* + 1: malloc(0) may be null */
  if (x == 0) {
    print(2, "summation: not enough memory\n");
    return 1;
  }
  for (size_t i = 0; i < vectors; i++) fill(x + i * count, count, (enum distribution)distribution, (int)delta);

  struct exact sum = {{0}};
  if (check) { /* before the call: some algorithms overwrite x */
    for (size_t i = 0; i < count; i++) exact_add(&sum, x[i]);
  }

  double result = 0.0;
  switch (algorithm->kind) {
    case READS: result = algorithm->reads(x, count); break;
    case IN_PLACE: result = algorithm->in_place(x, count); break;
    case POLYNOMIAL: result = algorithm->polynomial(x, (size_t)n, POINT); break;
    case PAIR: result = Dot(x, x + count, count); break;
  }
  print_number(result);
  print(1, "\n");
  if (check) print_check(&sum, result);
  free(x);
  return 0;
}
