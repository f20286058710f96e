/* corpus: uncounted */
/* Sleeping advances the clocks by what was asked for, at least. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include <stdint.h>

static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000l + t.tv_nsec; }

int main(void) {
  long start = now();
  usleep(2000);
  printf("%d ", now() - start >= 2000000);
  start = now();
  struct timespec t = {0, 3000000};
  printf("%d ", clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL));
  printf("%d ", now() - start >= 3000000);
  start = now();
  printf("%d ", poll(NULL, 0, 4));
  printf("%d ", now() - start >= 4000000);
  struct timeval v = {0, 1000};
  printf("%d ", select(0, NULL, NULL, NULL, &v));
  int fd = timerfd_create(CLOCK_MONOTONIC, 0);
  struct itimerspec every = {{0, 1000000}, {0, 1000000}};
  printf("%d ", timerfd_settime(fd, 0, &every, NULL));
  usleep(3500);
  uint64_t ticks = 0;
  printf("%zd ", read(fd, &ticks, 8));
  printf("%d\n", ticks >= 3);
}
