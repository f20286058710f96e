/* The first thread's stack grows as far as its limit lets it, and no further: down to other mappings, for system calls, in other programs. */
#include "common.h"
#include <pthread.h>

#define MIB (1L << 20)

static long limit(long soft) {
  struct rlimit is;
  getrlimit(RLIMIT_STACK, &is);
  is.rlim_cur = soft;
  return setrlimit(RLIMIT_STACK, &is);
}

/* So many frames of 1 KiB and a little more. */
static long __attribute__((noinline)) deep(long frames) {
  volatile char room[1024];
  room[frames & 1023] = frames;
  if (frames == 0) return 0;
  const long below = deep(frames - 1);
  return below + (unsigned char)room[frames & 1023];
}

static char *first;

/* In a child, which says how it ended. */
static void try(const char *what, void (*run)(void)) {
  const pid_t child = fork();
  if (child == 0) {
    run();
    _exit(0);
  }
  say("%s: %d\n", what, ended(child));
}

static void usual(void) {
  limit(8 * MIB);
  say("7 MiB: %ld\n", deep(7 << 10));
  deep(12 << 10);
}

static void raised(void) {
  limit(64 * MIB);
  say("40 MiB: %ld\n", deep(40 << 10));
  long size = 0;
  char line[512];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps)) {
    unsigned long from, to;
    if (strstr(line, "[stack]") && sscanf(line, "%lx-%lx", &from, &to) == 2) size = to - from;
  }
  say("the mapping has 40 MiB: %d, 64: %d\n", size > 40 * MIB, size > 64 * MIB);
  say("again: %ld\n", deep(40 << 10));
}

static void tooFar(void) {
  limit(16 * MIB);
  deep(20 << 10);
}

static void lowered(void) {
  limit(64 * MIB);
  deep(20 << 10);
  limit(8 * MIB);
  say("what is there stays: %ld\n", deep(19 << 10));
  deep(30 << 10);
}

static void *other(void *unused) {
  /* A pointer to the first thread's stack is as good as its own. */
  first[-20 * MIB] = 7;
  return NULL;
}

static void byOthers(void) {
  limit(64 * MIB);
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  pthread_join(thread, NULL);
  say("another thread stored %d\n", first[-20 * MIB]);
}

static void byCalls(void) {
  int ends[2];
  limit(64 * MIB);
  pipe(ends);
  write(ends[1], "0123456789", 10);
  say("read: %ld\n", (long)read(ends[0], first - 30 * MIB, 4));
  say("%.4s\n", first - 30 * MIB);
  limit(32 * MIB);
  const long result = read(ends[0], first - 50 * MIB, 4);
  say("beyond the limit: %ld %s\n", result, strerror(errno));
}

static void toAMapping(int protection) {
  limit(64 * MIB);
  char *page = (char *)((unsigned long)(first - 30 * MIB) & -4096L);
  if (mmap(page, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != page) _exit(3);
  say("above it: %ld\n", deep(20 << 10));
  /* Linux keeps a MiB free below a stack, but for what nobody may access. */
  say("a page above it: %s\n", protection == PROT_NONE ? (page[8192] = 1, "stored") : "not tried");
  deep(40 << 10);
}

static void toAnother(void) { toAMapping(PROT_READ | PROT_WRITE); }

static void toNothing(void) { toAMapping(PROT_NONE); }

static char alternate[64 << 10];

static void overflown(int signal, siginfo_t *information, void *context) {
  const long used = (first - (char *)information->si_addr) / MIB;
  say("signal %d, code %d, about 16 MiB: %d\n", signal, information->si_code, used >= 14 && used <= 16);
  _exit(9);
}

static void caught(void) {
  const stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
  struct sigaction action = {.sa_sigaction = overflown, .sa_flags = SA_ONSTACK | SA_SIGINFO};
  sigaltstack(&stack, NULL);
  sigaction(SIGSEGV, &action, NULL);
  limit(16 * MIB);
  deep(40 << 10);
}

static void elsewhere(long soft, const char *frames) {
  limit(soft);
  execl("/proc/self/exe", "stacks", frames, NULL);
}

static void moreElsewhere(void) { elsewhere(64 * MIB, "40960"); }

static void lessElsewhere(void) { elsewhere(1 * MIB, "3072"); }

int main(int argc, char **argv) {
  char here;
  first = &here;
  if (argc > 1) {
    pthread_attr_t attributes;
    size_t size;
    pthread_getattr_default_np(&attributes);
    pthread_attr_getstacksize(&attributes, &size);
    say("threads get %ld\n", (long)size);
    say("%s frames: %ld\n", argv[1], deep(atol(argv[1])));
    return 0;
  }
  try("beyond the usual limit", usual);
  try("limit raised", raised);
  try("beyond the raised limit", tooFar);
  try("limit lowered", lowered);
  try("by another thread", byOthers);
  try("by system calls", byCalls);
  try("down to another mapping", toAnother);
  try("down to a mapping without access", toNothing);
  try("caught", caught);
  try("another program with more", moreElsewhere);
  try("another program with less", lessElsewhere);
  return 0;
}
