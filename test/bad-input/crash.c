/* Ends in the way that the first argument names. Part of what it printed is out by then. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text[] = "constant";
static volatile int zero;

__attribute__((noinline)) static int forever(volatile int *above) {
  volatile int here[64];
  here[0] = *above + 1;
  return forever(here) + here[0];
}

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  const char *way = argv[1];
  int number = 7;
  puts("before");
  fflush(stdout);
  if (!strcmp(way, "null read")) return *(volatile int *)(long)zero;
  if (!strcmp(way, "null write")) *(volatile int *)(long)zero = 1;
  if (!strcmp(way, "write to constant")) *(volatile char *)text = 'x';
  if (!strcmp(way, "jump to 0")) ((void (*)(void))(long)zero)();
  if (!strcmp(way, "jump to data")) ((void (*)(void))(long)argv)();
  if (!strcmp(way, "high address")) return *(volatile int *)0x7fff00000000;
  if (!strcmp(way, "impossible address")) return *(volatile int *)0x8000000000000000;
  if (!strcmp(way, "stack overflow")) return forever(&number);
  if (!strcmp(way, "abort")) abort();
  if (!strcmp(way, "division by zero")) return number / zero;
  if (!strcmp(way, "quotient too large")) return (-2147483647 - 1) / (zero - 1);
  if (!strcmp(way, "ud2")) __builtin_trap();
  if (!strcmp(way, "int3")) __asm__ volatile("int3");
  if (!strcmp(way, "hlt")) __asm__ volatile("hlt");
  if (!strcmp(way, "raise")) raise(SIGTERM);
  if (!strcmp(way, "killed")) kill(getpid(), SIGKILL);
  if (!strcmp(way, "broken pipe")) {
    int ends[2];
    if (pipe(ends) != 0) return 2;
    close(ends[0]);
    return (int)write(ends[1], "x", 1);
  }
  if (!strcmp(way, "vector instruction")) __asm__ volatile("vaddpd %zmm0, %zmm1, %zmm2");
  if (!strcmp(way, "unknown system call")) return syscall(9999) < 0;
  if (!strcmp(way, "fork")) return fork() < 0;
  if (!strcmp(way, "no end"))
    for (;;) zero++;
  return 0;
}
