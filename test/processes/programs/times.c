#include "common.h"
/* Sleeping side by side takes as long as the longest; children's time is added when they are waited for. */
int main(void) {
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
