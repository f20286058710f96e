/* Flags that programs set to find out which processor they have (the JVM's way): AC, bit 18, and ID, bit 21. */
#include <signal.h>
#include <stdio.h>

static unsigned long flags(void) {
  unsigned long value;
  __asm__ volatile("pushfq; pop %0" : "=r"(value));
  return value;
}

static void set(unsigned long value) { __asm__ volatile("push %0; popfq" : : "r"(value) : "cc", "memory"); }

static volatile unsigned long seen;
static void caught(int number) {
  seen = flags() & 0x240000;
  set(flags() & ~0x200000ul);
}

int main(void) {
  unsigned long before = flags();
  printf("%lx\n", before & 0x240000);
  set(before ^ 0x240000);
  unsigned long both = flags();
  set(before);
  printf("%lx %lx\n", both & 0x240000, flags() & 0x240000);
  signal(SIGUSR1, caught);
  set(before | 0x200000);
  raise(SIGUSR1);
  unsigned long after = flags();
  set(before);
  printf("%lx %lx\n", seen, after & 0x240000);
  return 0;
}
