/* What other threads store and map while one waits for a child that has borrowed its memory stays, and so does what the child does to it. */
#include "common.h"
#include <pthread.h>
#include <stdatomic.h>

#define SIZE (1L << 20)
/* Beyond what fits into low addresses. */
#define LARGE (1L << 31)

static atomic_int phase;
static char *volatile made, *volatile unmade, *volatile far;
static volatile long counted[1024], missed;

static char *map(long size) {
  return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static void *work(void *argument) {
  (void)argument;
  while (phase == 0) {
  }
  made = map(SIZE);
  made[SIZE - 1] = 'm';
  munmap(unmade, SIZE);
  long expected = 0;
  while (phase == 1) {
    if (counted[0] != expected || far[8192] != (char)expected) missed++;
    expected++;
    counted[0] = expected;
    far[8192] = (char)expected;
  }
  return NULL;
}

static void *keep_allocating(void *argument) {
  (void)argument;
  while (phase == 3) {
    char *room = malloc(200000);
    for (int at = 0; at < 200000; at += 4096) room[at] = 1;
    free(room);
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  unmade = map(SIZE);
  unmade[0] = 'u';
  far = map(LARGE);
  far[0] = far[4096] = far[LARGE - 1] = 'f';
  char *changed = map(SIZE);
  changed[0] = 'c';
  pthread_create(&thread, NULL, work, NULL);
  phase = 1;
  pid_t child = vfork();
  if (child == 0) {
    for (volatile int i = 0; i < 3000000; i++) {
    }
    far[4096] = 'g';
    far[1 << 20] = 'n';
    counted[1] = 5;
    mprotect(changed, 4096, PROT_READ);
    _exit(7);
  }
  say("child: %d\n", ended(child));
  // A busy machine may not have let it.
  while (counted[0] == 0) {
  }
  phase = 2;
  pthread_join(thread, NULL);
  say("missed %ld, counted %d, the child's %ld\n", missed, counted[0] > 0, counted[1]);
  say("made: %c, far: %c %c %c %c\n", made[SIZE - 1], far[0], far[4096], far[1 << 20], far[LARGE - 1]);
  unsigned char pages[SIZE / 4096];
  say("unmade: %d\n", failure(mincore(unmade, SIZE, pages)));
  say("changed: %d %c\n", failure(read(open("/dev/zero", O_RDONLY), changed, 1)), changed[0]);

  phase = 3;
  pthread_create(&thread, NULL, keep_allocating, NULL);
  for (int i = 0; i < 5; i++) {
    char *const arguments[] = {"sh", "-c", "exit 4", NULL};
    if (posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) != 0) return 1;
    say("spawned: %d\n", ended(child));
  }
  say("system: %d\n", WEXITSTATUS(system("exit 3")));
  phase = 4;
  pthread_join(thread, NULL);
  return 0;
}
