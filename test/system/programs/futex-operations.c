#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Which operations may choose the clock, which there are, and locks whose owner is no thread. */

static int word;

static void say(int operation) {
  struct timespec soon = {0, 1};
  errno = 0;
  long result = syscall(SYS_futex, &word, operation, word, &soon, &word, 1);
  printf("%#x: %ld %d\n", operation, result, errno);
}

int main(void) {
  int choosers[] = {0, 1, 3, 4, 5, 9, 10, 11, 12};
  for (int i = 0; i < 9; i++) say(choosers[i] | FUTEX_CLOCK_REALTIME);
  say(FUTEX_FD);
  say(14);
  say(127);
  /* Larger than any id of a thread may be. */
  int locking[] = {FUTEX_LOCK_PI, FUTEX_TRYLOCK_PI, FUTEX_LOCK_PI | FUTEX_CLOCK_REALTIME};
  for (int i = 0; i < 3; i++) {
    word = 0x1fffffff;
    say(locking[i]);
    printf("%x\n", word);
  }
}
