/* Static arrays that fill the addresses where the stack usually is: everything else goes above them. */
#include "common.h"
#include <pthread.h>

static char zeros[300 << 20];
static int some[16 << 20] = {1, 2, 3};

static void *fill(void *at) {
  memset(at, 3, 5000);
  return at;
}

static long __attribute__((noinline)) deep(long frames) {
  volatile char room[1024];
  room[frames & 1023] = frames;
  return frames == 0 ? 0 : deep(frames - 1) + (unsigned char)room[frames & 1023];
}

int main(void) {
  for (long at = 0; at < sizeof zeros; at += 10 << 20) zeros[at] = at >> 20;
  long sum = 0;
  for (long at = 0; at < sizeof zeros; at += 4096) sum += (unsigned char)zeros[at];
  say("%ld %d\n", sum, some[2]);

  char *before = sbrk(1 << 20);
  memset(before, 1, 1 << 20);
  say("the break moves: %d\n", (char *)sbrk(0) - before == 1 << 20);

  char *small = malloc(1000), *large = malloc(20 << 20);
  memset(small, 5, 1000);
  memset(large, 6, 20 << 20);
  say("%d %d %d\n", small[999], large[12345678], before[(1 << 20) - 1]);

  pthread_t thread;
  pthread_create(&thread, NULL, fill, zeros + (200 << 20) + 5000);
  pthread_join(thread, NULL);
  say("%d\n", zeros[(200 << 20) + 9999]);

  say("on the stack: %ld\n", deep(7 << 10));
  say("the stack is above: %d\n", (char *)&sum > zeros + sizeof zeros);

  const pid_t child = fork();
  if (child == 0) {
    zeros[100 << 20] = 77;
    _exit(zeros[200 << 20] + zeros[290 << 20]);
  }
  say("%d %d\n", ended(child), zeros[100 << 20]);
  return 0;
}
