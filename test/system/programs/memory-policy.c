/* Policies of memory: which are refused, what is read back, of a thread, of addresses, in a child and after execve. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#define T(call) do { errno = 0; long r_ = (long)(call); printf("%s = %ld %s\n", #call, r_, errno ? strerrorname_np(errno) : "-"); } while (0)
#define SET(mode, nodes, bits) syscall(SYS_set_mempolicy, (long)(mode), (nodes), (long)(bits))
#define GET(mode, nodes, bits, place, flags) syscall(SYS_get_mempolicy, (mode), (nodes), (long)(bits), (place), (long)(flags))
#define BIND(place, length, mode, bits, flags) syscall(SYS_mbind, (place), (long)(length), (long)(mode), nodes, (long)(bits), (long)(flags))
/* No node of any machine here. */
#define NONE (1ul << 40)
static unsigned long nodes[8192];
static int mode;

static void show(const char *of, const void *place, long flags) {
  unsigned long set = ~0ul;
  int found = -1;
  errno = 0;
  long r = GET(&found, &set, 64, place, flags);
  printf("  %s: %x %lx = %ld %s\n", of, found, set, r, errno ? strerrorname_np(errno) : "-");
}

static void *thread(void *unused) {
  show("thread", 0, 0);
  SET(4, 0L, 0);
  show("thread", 0, 0);
  return unused;
}

int main(int count, char **words) {
  setvbuf(stdout, 0, _IONBF, 0);
  if (count > 1) return show("program", 0, 0), 0;
  static const int modes[] = {0, 1, 2, 3, 4, 5, 100, -1, 0x8000, 0x4000, 0x2000, 0x8001, 0x4001, 0x8002, 0x4002, 0xc002,
                              0x2002, 0x2003, 0x8003, 0x4003, 0x4004, 0x8004, 0x8005, 0x4005, 0xe002, 0xa002};
  static const unsigned long sets[] = {0, 1, NONE, NONE | 1};
  for (int i = 0; i < sizeof modes / sizeof *modes; i++)
    for (int k = 0; k < 4; k++) {
      nodes[0] = sets[k];
      printf("%x %lx ", modes[i], sets[k]);
      T(SET(modes[i], nodes, 64));
      show("policy", 0, 0);
    }
  T(SET(0, 0L, 0));
  nodes[0] = 1;
  for (int bits = 0; bits < 4; bits++) T(SET(2, nodes, bits));
  T(SET(2, 1L, 64));
  T(SET(2, 0L, 64));
  T(SET(0, 0L, 64));
  T(SET(2, nodes, 4096 * 8 + 1));
  T(SET(2, nodes, 4096 * 8 + 2));
  nodes[500] = 1;
  T(SET(2, nodes, 4096 * 8));
  T(GET(&mode, nodes, 0, 0L, 0));
  memset(nodes, 0xff, sizeof nodes);
  T(GET(&mode, nodes, 2048, 0L, 0));
  printf("%lx %lx %lx %lx\n", nodes[0], nodes[1], nodes[31], nodes[32]);
  T(GET(&mode, nodes, 40000, 0L, 0));
  T(GET(&mode, nodes, 4096 * 8 + 1, 0L, 0));
  T(GET(&mode, nodes, 4096 * 8 + 65, 0L, 0));
  T(GET(0L, 0L, 0, 0L, 0));
  T(GET(1L, 0L, 0, 0L, 0));
  T(GET(0L, 8L, 64, 0L, 0));
  for (int flags = 0; flags < 9; flags++) show("here", &mode, flags), show("nowhere", 0, flags);
  nodes[0] = 1;
  T(SET(3, nodes, 64));
  show("node", 0, 1);

  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  pthread_join(other, 0);
  show("after it", 0, 0);
  if (fork() == 0) {
    show("child", 0, 0);
    execl("/proc/self/exe", words[0], "again", (char *)0);
  }
  wait(0);
  T(SET(0, 0L, 0));

  char *p = mmap(0, 8 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  T(BIND(p, 4096, 2, 64, 0));
  T(BIND(p + 4096, 1, 3, 64, 0));
  for (int i = 0; i < 3; i++) show("page", p + i * 4096, 2);
  T(BIND(p + 1, 4096, 2, 64, 0));
  T(BIND(p, 0, 2, 64, 0));
  T(BIND(p, -4096L, 2, 64, 0));
  for (int flags = 1; flags < 32; flags *= 2) if (flags != 4) T(BIND(p, 4096, 2, 64, flags));
  T(BIND(p, 4096, 9, 64, 0));
  T(BIND(p, 4096, 0, 64, 0));
  nodes[0] = NONE;
  T(BIND(p, 4096, 2, 64, 0));
  nodes[0] = 0;
  for (int kind = 0; kind < 6; kind++) {
    T(BIND(p, 4096, kind, 64, 0));
    show("page", p, 2);
  }
  nodes[0] = 1;
  T(BIND(p, 4 * 4096, 0x8005, 64, 0));
  T(mprotect(p + 4096, 4096, PROT_NONE));
  show("node of it", p + 4096, 3);
  show("node of it", p + 2 * 4096, 3);
  munmap(p + 3 * 4096, 4096);
  T(BIND(p, 8 * 4096, 3, 64, 0));
  munmap(p + 4096, 4096);
  mmap(p + 4096, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  for (int i = 0; i < 5; i++) show("page", p + i * 4096, 2);
  nodes[0] = 0;
  T(BIND(p + 3 * 4096, 4096, 0, 64, 0));
  T(BIND(p, 8 * 4096, 0, 64, 0));
  for (int i = 0; i < 5; i++) show("page", p + i * 4096, 2);
}
