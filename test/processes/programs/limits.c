/* Limits of a process: sizes of files, addresses and data; each in a child that goes beyond. */
#include "common.h"

static void limit(int resource, rlim_t soft) {
  struct rlimit is;
  getrlimit(resource, &is);
  is.rlim_cur = soft;
  if (setrlimit(resource, &is) != 0) say("setrlimit: %d\n", errno);
}

static volatile int caught;
static void note(int signal) { caught = signal; }

static void told(const char *what, long result) {
  say("%s: %ld %d, signal %d\n", what, result < 0 ? -1 : result, result < 0 ? errno : 0, caught);
  caught = 0;
}

static void files(void) {
  static char bytes[300];
  signal(SIGXFSZ, note);
  const int file = open("limited", O_RDWR | O_CREAT | O_TRUNC, 0600);
  const int before = open("before", O_RDWR | O_CREAT | O_TRUNC, 0600);
  ftruncate(before, 500);
  limit(RLIMIT_FSIZE, 100);
  told("as much as goes", write(file, bytes, 300));
  told("no more", write(file, bytes, 1));
  told("at a place", pwrite(file, bytes, 50, 80));
  told("behind the end", pwrite(file, bytes, 1, 100));
  told("nothing", write(file, bytes, 0));
  told("longer", ftruncate(file, 101));
  told("shorter", ftruncate(file, 40));
  told("as long as may be", ftruncate(file, 100));
  told("by path", truncate("limited", 1000));
  told("allocated", posix_fallocate(file, 0, 200));
  told("within a longer one", pwrite(before, bytes, 10, 300));
  told("shorter than it was", ftruncate(before, 450));
  int ends[2];
  pipe(ends);
  told("pipes have none", write(ends[1], bytes, 300));
  unlink("limited");
  unlink("before");
}

static void dies(void) {
  const int file = open("limited", O_RDWR | O_CREAT | O_TRUNC, 0600);
  unlink("limited");
  limit(RLIMIT_FSIZE, 10);
  lseek(file, 10, SEEK_SET);
  write(file, "x", 1);
}

static long mapped(long size, int protection, int flags) {
  return mmap(NULL, size, protection, flags | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0;
}

static void addresses(void) {
  limit(RLIMIT_AS, 64L << 20);
  told("much", mapped(128L << 20, PROT_READ, MAP_PRIVATE));
  told("little", mapped(4L << 20, PROT_READ, MAP_PRIVATE));
  told("reserved", mapped(128L << 20, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE));
  told("malloc", malloc(100L << 20) == NULL ? -1 : 0);
  char *const block = mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  told("longer", mremap(block, 4 << 20, 200 << 20, MREMAP_MAYMOVE) == MAP_FAILED ? -1 : 0);
  limit(RLIMIT_AS, 1L << 20);
  told("in place of others", mmap(block, 4 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == block ? 0 : -1);
}

static void data(void) {
  limit(RLIMIT_DATA, 16L << 20);
  told("private", mapped(32L << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE));
  told("only read", mapped(32L << 20, PROT_READ, MAP_PRIVATE));
  told("shared", mapped(32L << 20, PROT_READ | PROT_WRITE, MAP_SHARED));
  told("break", (long)sbrk(32L << 20));
  told("less", mapped(1L << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE));
}

int main(void) {
  void (*const parts[])(void) = {files, dies, addresses, data};
  for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    const pid_t child = fork();
    if (child == 0) {
      parts[i]();
      _exit(0);
    }
    say("%u: %d\n", i, ended(child));
  }
  return 0;
}
