/* Files that are mapped in all ways: `data`, and `large`, which is mostly a hole. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096ul
static unsigned long size;
static sigjmp_buf faulted;
static void fault(int number) { siglongjmp(faulted, number); }

static unsigned sum(const unsigned char *bytes, unsigned long length) {
  unsigned all = 0;
  for (unsigned long i = 0; i < length; i++) all = all * 31 + bytes[i];
  return all;
}

static int touching(volatile unsigned char *at, int isStore) {
  int number = sigsetjmp(faulted, 1);
  if (number != 0) return number;
  if (isStore) *at = 1;
  else (void)*at;
  return 0;
}

static unsigned char *mapped(int file, int protection, int flags) {
  unsigned char *bytes = mmap(0, size, protection, flags, file, 0);
  if (bytes == MAP_FAILED) {
    perror("mmap");
    exit(1);
  }
  return bytes;
}

static void tellPages(const char *what, const unsigned char *bytes) {
  printf("%s: %u %u %u, end %u %u\n", what, sum(bytes, PAGE), sum(bytes + 77 * PAGE, 3 * PAGE), sum(bytes, size),
         sum(bytes + size - 200, 200), sum(bytes + size, PAGE - size % PAGE));
  fflush(stdout);
}

static void private(int file) {
  unsigned char *a = mapped(file, PROT_READ | PROT_WRITE, MAP_PRIVATE);
  unsigned char *b = mapped(file, PROT_READ, MAP_PRIVATE);
  tellPages("private", a);
  memset(a + 77 * PAGE + 100, 7, PAGE);
  a[size] = 9;
  tellPages("stored", a);
  tellPages("other", b);
  if (fork() == 0) {
    tellPages("child", a);
    a[0] ^= 0xff;
    tellPages("child stored", a);
    exit(0);
  }
  wait(0);
  tellPages("parent", a);
  madvise(a + 77 * PAGE, 2 * PAGE, MADV_DONTNEED);
  tellPages("renewed", a);
  munmap(a + 10 * PAGE, 5 * PAGE);
  printf("hole %d %d %d\n", touching(a + 10 * PAGE, 0), touching(a + 15 * PAGE - 1, 0), touching(a + 15 * PAGE, 0));
  unsigned char *zeros = mmap(a + 10 * PAGE, 5 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  printf("zeros %u\n", sum(zeros, 5 * PAGE));
  mmap(a + 20 * PAGE, 4 * PAGE, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 100 * PAGE);
  printf("elsewhere %u %u, store %d\n", sum(a + 20 * PAGE, 4 * PAGE), sum(b + 100 * PAGE, 4 * PAGE), touching(a + 20 * PAGE, 1));
  mprotect(b + 30 * PAGE, PAGE, PROT_NONE);
  printf("none %d\n", touching(b + 30 * PAGE, 0));
  mprotect(b + 30 * PAGE, PAGE, PROT_READ | PROT_WRITE);
  b[30 * PAGE] ^= 1;
  printf("again %u\n", sum(b + 30 * PAGE, PAGE));
  unsigned char *moved = mremap(b, size, 2 * size, MREMAP_MAYMOVE);
  tellPages("moved", moved);
  printf("behind %d\n", touching(moved + size + PAGE, 0));
  munmap(moved, 2 * size);
  munmap(a, size);
}

static void shared(int file) {
  unsigned char *a = mapped(file, PROT_READ, MAP_SHARED);
  tellPages("shared", a);
  unsigned char *b = mapped(file, PROT_READ | PROT_WRITE, MAP_SHARED);
  b[3 * PAGE + 1] ^= 0x55;
  b[size - 1] ^= 0x55;
  tellPages("a", a);
  tellPages("b", b);
  unsigned char *c = mapped(file, PROT_READ, MAP_PRIVATE);
  if (pwrite(file, "written", 7, 50 * PAGE + 10) != 7) perror("pwrite");
  tellPages("a", a);
  tellPages("c", c);
  unsigned char read[2 * PAGE];
  if (pread(file, read, sizeof read, 3 * PAGE) != sizeof read) perror("pread");
  printf("read %u\n", sum(read, sizeof read));
  if (fork() == 0) {
    b[60 * PAGE] ^= 0x33;
    exit(0);
  }
  wait(0);
  tellPages("a", a);
  msync(b, size, MS_SYNC);
  munmap(a, size);
  munmap(b, size);
  munmap(c, size);
  unsigned char *again = mapped(file, PROT_READ, MAP_PRIVATE);
  tellPages("again", again);
  if (ftruncate(file, size - 20 * PAGE) != 0) perror("ftruncate");
  printf("shorter %d %d\n", touching(again + size - 21 * PAGE, 0), touching(again + size - 18 * PAGE, 0));
}

static void large(int flags) {
  int file = open("large", O_RDONLY);
  struct stat status;
  fstat(file, &status);
  unsigned char *bytes = mmap(0, status.st_size, PROT_READ | (flags == MAP_PRIVATE ? PROT_WRITE : 0), flags, file, 0);
  if (bytes == MAP_FAILED) {
    perror("mmap");
    exit(1);
  }
  unsigned long end = status.st_size;
  printf("large %s|%s|%u\n", (char *)bytes + 5 * PAGE - 3, (char *)bytes + end - 5, sum(bytes + end / 2, 3 * PAGE));
  printf("store %d\n", touching(bytes + 5 * PAGE, 1));
  printf("large %s|%u\n", (char *)bytes + 5 * PAGE - 3, sum(bytes + 4 * PAGE, 3 * PAGE));
  int out = open("/dev/null", O_WRONLY);
  printf("written %zd\n", write(out, bytes + 4 * PAGE, 100 * PAGE));
  madvise(bytes + 4 * PAGE, 2 * PAGE, MADV_DONTNEED);
  printf("large %s\n", (char *)bytes + 5 * PAGE - 3);
  munmap(bytes + 5 * PAGE, PAGE);
  printf("gone %d, there %d\n", touching(bytes + 5 * PAGE, 0), touching(bytes + 6 * PAGE, 0));
  unsigned char *moved = mremap(bytes + 6 * PAGE, end - 6 * PAGE, end - 5 * PAGE, MREMAP_MAYMOVE);
  printf("moved %s\n", (char *)moved + end - 6 * PAGE - 5);
  if (fork() == 0) {
    printf("child %s\n", (char *)moved + end - 6 * PAGE - 5);
    exit(0);
  }
  wait(0);
  fflush(stdout);
}

static void tellFile(const char *what, int file) {
  struct stat status;
  fstat(file, &status);
  unsigned char *bytes = malloc(status.st_size + 1);
  long got = pread(file, bytes, status.st_size + 1, 0);
  printf("%s: %ld %ld %u\n", what, (long)status.st_size, got, sum(bytes, got > 0 ? got : 0));
  free(bytes);
}

static void written(void) {
  int file = open("written", O_RDWR);
  unsigned char *before = mmap(0, 2 << 20, PROT_READ, MAP_PRIVATE, file, 0);
  pwrite(file, "in the middle", 13, 123456);
  tellFile("middle", file);
  printf("mapped %.13s\n", (char *)before + 123456);
  pwrite(file, "behind", 6, 1500000);
  tellFile("behind", file);
  ftruncate(file, 1000001);
  ftruncate(file, 1400000);
  tellFile("shorter and longer", file);
  int again = open("shortened", O_RDWR);
  ftruncate(again, 777777);
  pwrite(again, "end", 3, 900000);
  tellFile("shortened", again);
  int appended = open("appended", O_WRONLY | O_APPEND);
  for (int i = 0; i < 1000; i++) write(appended, "a line of text that is added\n", 29);
  tellFile("appended", open("appended", O_RDONLY));
  int emptied = open("emptied", O_RDWR | O_TRUNC);
  write(emptied, "new", 3);
  tellFile("emptied", emptied);
  rename("renamed", "other");
  tellFile("renamed", open("other", O_RDONLY));
}

int main(void) {
  setvbuf(stdout, 0, _IOLBF, 0);
  signal(SIGSEGV, fault);
  signal(SIGBUS, fault);
  int file = open("data", O_RDWR);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) return 1;
  size = status.st_size;
  private(file);
  shared(file);
  large(MAP_PRIVATE);
  large(MAP_SHARED);
  written();
  return 0;
}
