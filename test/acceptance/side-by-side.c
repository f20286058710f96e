/* One program for several targets: `count N`, `read`, `exit STATUS`, `crash`, `forever`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -DLONGER makes its chain longer. */
__attribute__((noinline)) static unsigned long chain(unsigned long count) {
  unsigned long value = 1;
  for (unsigned long i = 0; i < count; i++) {
    value = value * 3 + 1;
#ifdef LONGER
    value = value * 5 + 7;
#endif
  }
  return value;
}

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  fprintf(stderr, "%s: started\n", argv[1]);
  if (!strcmp(argv[1], "count")) printf("%lu\n", chain(strtoul(argv[2], 0, 10)));
  if (!strcmp(argv[1], "read")) {
    unsigned long sum = 0;
    for (int byte; (byte = getchar()) != EOF;) sum += byte;
    printf("%lu\n", sum);
  }
  if (!strcmp(argv[1], "exit")) return atoi(argv[2]);
  if (!strcmp(argv[1], "crash")) *(volatile int *)8 = (int)chain(1000);
  /* Without a counter it makes no chain that could become too long to be measured. */
  if (!strcmp(argv[1], "forever")) for (;;) __asm__ volatile("");
  return 0;
}
