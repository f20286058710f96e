#include "common.h"
#include <setjmp.h>
/* Children whose handlers get faults: where they come is found by running again. */
static sigjmp_buf place;
static int faults;
static void on_fault(int signal) {
  faults++;
  siglongjmp(place, 1);
}
int main(void) {
  signal(SIGSEGV, on_fault);
  for (int k = 1; k <= 2; k++) {
    pid_t child = fork();
    if (child == 0) {
      for (volatile int i = 0; i < 3000 * k; i++) {
      }
      for (int j = 0; j < 3; j++)
        if (sigsetjmp(place, 1) == 0) *(volatile int *)(long)(8 * j) = 1;
      _exit(10 * k + faults);
    }
    say("child %d\n", ended(child));
  }
  if (sigsetjmp(place, 1) == 0) *(volatile int *)8 = 1;
  say("parent %d\n", faults);
  return 0;
}
