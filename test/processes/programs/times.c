#include "common.h"
#include <stdint.h>
#include <sys/timerfd.h>

/* A timer goes on for those who have its descriptor, when who made it has ended. */
static void inherited(void) {
  int ends[2];
  char text[8] = {0};
  pipe(ends);
  if (fork() == 0) {
    const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    timerfd_settime(timer, 0, &(struct itimerspec){.it_value.tv_nsec = 50000000}, NULL);
    if (fork() == 0) {
      uint64_t count;
      read(timer, &count, 8);
      write(ends[1], "tick", 4);
    }
    _exit(0);
  }
  close(ends[1]);
  read(ends[0], text, 7);
  wait(NULL);
  say("inherited %s\n", text);
}

/* Sleeping side by side takes as long as the longest; children's time is added when they are waited for. */
int main(void) {
  inherited();
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  int ends[2];
  pipe(ends);
  for (int i = 3; i >= 1; i--)
    if (fork() == 0) {
      usleep(i * 60000);
      char digit = '0' + i;
      write(ends[1], &digit, 1);
      _exit(0);
    }
  close(ends[1]);
  char order[4] = {0};
  for (int i = 0; i < 3; i++) read(ends[0], order + i, 1);
  while (wait(0) > 0) {
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  long took = (end.tv_sec - start.tv_sec) * 1000 + (end.tv_nsec - start.tv_nsec) / 1000000;
  say("woken in order %s, %s\n", order, took >= 170 && took < 300 ? "side by side" : "one after another");
  return 0;
}
