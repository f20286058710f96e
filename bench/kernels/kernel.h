/* What every kernel shares: its first argument (repetitions), fixed random numbers, and one checksum as output. */
#ifndef KERNEL_H
#define KERNEL_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define KEEP __attribute__((noinline, noclone))

static uint64_t random_state = 0x9e3779b97f4a7c15u;

/* Knuth's MMIX generator; its low bits are weak, so 32 upper ones are given. */
static inline uint32_t random32(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random_state >> 32);
}

static inline uint64_t argument(int argc, char **argv, int index, uint64_t otherwise) {
  return argc > index ? strtoull(argv[index], NULL, 10) : otherwise;
}

static inline void *allocate(uint64_t bytes) {
  void *memory = malloc(bytes);
  if (memory == NULL) {
    fputs("out of memory\n", stderr);
    exit(2);
  }
  return memory;
}

static inline int checksum(uint64_t value) {
  printf("%016" PRIx64 "\n", value);
  return 0;
}

static inline int checksum_double(double value) {
  printf("%.17g\n", value);
  return 0;
}

#endif
