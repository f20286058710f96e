/* Fibonacci numbers by two recursive calls each. */
#include "kernel.h"

/* Without these, gcc turns one of the calls into a loop and inlines the other several levels deep. */
__attribute__((noinline, noclone, optimize("no-optimize-sibling-calls", "no-inline"))) static uint64_t fib(uint64_t n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 10);
  uint64_t sum = 0;
  for (uint64_t r = 0; r < repetitions; r++) sum += fib(24 + (r & 1));
  return checksum(sum);
}
