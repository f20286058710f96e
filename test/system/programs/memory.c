#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/personality.h>
#include <unistd.h>

/* Mappings: made, moved, protected, forgotten; files that are memory; code that is written as the program runs. */

enum { PAGE = 4096 };

#define SHOW(call)                                                              \
  do {                                                                          \
    errno = 0;                                                                  \
    long result = (long)(call);                                                 \
    printf("%s = %ld %s\n", #call, result, result < 0 ? strerror(errno) : ""); \
  } while (0)

static sigjmp_buf back;
static void on_fault(int signal) { siglongjmp(back, signal); }
static int touch(volatile char *at) {
  int signal = sigsetjmp(back, 1);
  if (signal == 0) return *at;
  return -signal;
}

static void anonymous(void) {
  char *area = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(area, 'a', 8 * PAGE);
  SHOW(madvise(area + PAGE, 2 * PAGE, MADV_DONTNEED));
  printf("%d %d %d %d\n", area[0], area[PAGE], area[3 * PAGE - 1], area[3 * PAGE]);
  SHOW(madvise(area + 1, PAGE, MADV_DONTNEED));
  SHOW(madvise(area, 4 * PAGE, MADV_WILLNEED));
  SHOW(madvise(area, 4 * PAGE, MADV_NOHUGEPAGE));
  SHOW(madvise(area, 4 * PAGE, 9999));
  unsigned char resident[8];
  SHOW(mincore(area, 8 * PAGE, resident));
  printf("%d\n", resident[0] & 1);
  SHOW(mlock(area, PAGE));
  SHOW(munlock(area, PAGE));
  SHOW(mlock2(area, PAGE, 0));
  SHOW(msync(area, PAGE, MS_SYNC));
  SHOW(msync(area, PAGE, MS_SYNC | MS_ASYNC));
  SHOW(munmap(area + 2 * PAGE, PAGE));
  SHOW(mincore(area, 8 * PAGE, resident));
  SHOW(mprotect(area, 4 * PAGE, PROT_READ));
  SHOW(touch(area + 2 * PAGE));
  SHOW(touch(area + 3 * PAGE));
  SHOW(mmap(area, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED && errno == EEXIST);
  SHOW(munmap(area, 0));
  SHOW(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

static void moved(void) {
  char *area = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *place = mmap(NULL, 16 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 4; i++) area[i * PAGE] = i + 1;
  char *larger = mremap(area, 4 * PAGE, 8 * PAGE, MREMAP_MAYMOVE);
  printf("%d %d %d\n", larger[0], larger[3 * PAGE], larger[7 * PAGE]);
  larger[7 * PAGE] = 9;
  char *there = mremap(larger, 8 * PAGE, 8 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, place + 4 * PAGE);
  printf("%d %d %d\n", there == place + 4 * PAGE, there[PAGE], there[7 * PAGE]);
  SHOW(touch(larger));
  char *kept = mremap(there, 2 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, 0);
  printf("%d %d %d\n", kept != MAP_FAILED && kept != there, kept[PAGE], there[PAGE]);
  char *smaller = mremap(there, 8 * PAGE, 2 * PAGE, 0);
  printf("%d\n", smaller == there);
  SHOW(touch(there + 2 * PAGE));
  SHOW(mremap(there, 2 * PAGE, 4 * PAGE, MREMAP_FIXED, place));
  SHOW(mremap(there + 1, 2 * PAGE, 4 * PAGE, MREMAP_MAYMOVE));
  SHOW(mremap((void *)0x10000, PAGE, 2 * PAGE, MREMAP_MAYMOVE));
}

static void files(void) {
  int fd = memfd_create("memory", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  SHOW(ftruncate(fd, 3 * PAGE));
  char *one = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  char *two = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, PAGE);
  char *own = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, PAGE);
  strcpy(one + PAGE, "shared");
  own[100] = 1;
  char text[16] = "";
  SHOW(pread(fd, text, 8, PAGE));
  printf("%s %s\n", text, two);
  SHOW(pwrite(fd, "S", 1, PAGE));
  printf("%s %s\n", one + PAGE, two);
  SHOW(fcntl(fd, F_GET_SEALS));
  SHOW(fcntl(fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK));
  SHOW(ftruncate(fd, PAGE));
  SHOW(ftruncate(fd, 4 * PAGE));
  SHOW(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE));
  munmap(one, 3 * PAGE);
  munmap(two, PAGE);
  SHOW(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SEAL));
  SHOW(write(fd, "x", 1));
  SHOW(mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  SHOW(fcntl(fd, F_ADD_SEALS, F_SEAL_GROW));
  SHOW(fcntl(fd, F_GET_SEALS));
  int plain = open("plain", O_CREAT | O_RDWR, 0600);
  SHOW(fcntl(plain, F_GET_SEALS));
  write(plain, "0123456789", 10);
  char *past = mmap(NULL, 2 * PAGE, PROT_READ, MAP_PRIVATE, plain, 0);
  SHOW(touch(past + 9));
  SHOW(touch(past + 4000));
  SHOW(touch(past + PAGE));
}

static const unsigned char first[] = {0xb8, 1, 0, 0, 0, 0xc3};
static void code(void) {
  unsigned char *area = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int (*call)(void) = (int (*)(void))area;
  long sum = 0;
  for (int i = 0; i < 200; i++) {
    mprotect(area, PAGE, PROT_READ | PROT_WRITE);
    memcpy(area, first, sizeof first);
    area[1] = i;
    mprotect(area, PAGE, PROT_READ | PROT_EXEC);
    for (int j = 0; j < 300; j++) sum += call();
  }
  printf("%ld\n", sum);
  mprotect(area, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
  sum = 0;
  for (int i = 0; i < 5000; i++) {
    area[1] = i;
    sum += call();
  }
  printf("%ld\n", sum);
  SHOW(personality(0xffffffff));
  SHOW(personality(ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC));
  SHOW(personality(0xffffffff));
  unsigned char *implied = mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(implied, first, sizeof first);
  SHOW(((int (*)(void))implied)() == first[1]);
  SHOW(personality(0) == (ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC));
}

/* Whether stores may be allowed later is settled when a file is mapped. */
static void closed(void) {
  int file = open("closed", O_RDWR | O_CREAT, 0600), reader = open("closed", O_RDONLY);
  ftruncate(file, PAGE);
  char *both = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  char *later = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, file, 0);
  char *never = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, reader, 0);
  char *own = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, reader, 0);
  SHOW(mprotect(never, PAGE, PROT_READ | PROT_WRITE));
  close(file);
  SHOW(mprotect(both, PAGE, PROT_READ));
  SHOW(mprotect(both, PAGE, PROT_READ | PROT_WRITE));
  SHOW(mprotect(later, PAGE, PROT_READ | PROT_WRITE));
  SHOW(mprotect(own, PAGE, PROT_READ | PROT_WRITE));
  later[5] = 'x';
  SHOW(never[5]);
  file = open("closed", O_RDWR);
  SHOW(mprotect(never, PAGE, PROT_READ | PROT_WRITE));
  char read_back[6];
  SHOW(pread(file, read_back, 6, 0));
  SHOW(read_back[5]);
  int id = shmget(IPC_PRIVATE, PAGE, 0600);
  char *segment = shmat(id, NULL, 0), *shown = shmat(id, NULL, SHM_RDONLY);
  shmctl(id, IPC_RMID, NULL);
  SHOW(mprotect(segment, PAGE, PROT_READ));
  SHOW(mprotect(segment, PAGE, PROT_READ | PROT_WRITE));
  SHOW(mprotect(shown, PAGE, PROT_READ | PROT_WRITE));
  segment[7] = 'y';
  SHOW(shown[7]);
}

/* Private copies of pages end where their file ends, and a hole leaves them alone. */
static void shortened(void) {
  int file = open("shortened", O_RDWR | O_CREAT, 0600);
  char bytes[3 * PAGE];
  memset(bytes, 'f', sizeof bytes);
  write(file, bytes, sizeof bytes);
  char *own = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  for (int page = 0; page < 3; page++) own[page * PAGE] = 'a' + page;
  SHOW(ftruncate(file, PAGE));
  SHOW(ftruncate(file, 3 * PAGE));
  printf("%d %d %d %d %d\n", own[0], own[1], own[PAGE], own[PAGE + 1], own[2 * PAGE]);
  own[PAGE] = 'd';
  SHOW(ftruncate(file, PAGE + 1));
  SHOW(ftruncate(file, 3 * PAGE));
  printf("%d %d %d\n", own[0], own[PAGE], own[2 * PAGE]);
  own[2 * PAGE] = 'e';
  SHOW(fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 2 * PAGE, PAGE));
  printf("%d %d\n", own[2 * PAGE], own[2 * PAGE + 1]);
}

#define REFUSED(protection, flags, file) \
  printf(#flags " %s\n", mmap(0, PAGE, protection, flags, file, 0) == MAP_FAILED ? strerrorname_np(errno) : "mapped")

static void refused(void) {
  int file = open("refused", O_RDWR | O_CREAT, 0600), writer = open("refused", O_WRONLY), zero = open("/dev/zero", O_RDWR);
  int unnamed = memfd_create("unnamed", 0);
  ftruncate(unnamed, PAGE);
  ftruncate(file, PAGE);
  REFUSED(PROT_READ, MAP_SHARED_VALIDATE, file);
  REFUSED(PROT_READ, MAP_SHARED_VALIDATE | MAP_POPULATE | MAP_LOCKED | MAP_STACK | MAP_NONBLOCK | MAP_NORESERVE, file);
  REFUSED(PROT_READ, MAP_SHARED_VALIDATE | MAP_DENYWRITE | MAP_EXECUTABLE | MAP_32BIT | 31 << 26, file);
  REFUSED(PROT_READ, MAP_SHARED_VALIDATE | MAP_FIXED_NOREPLACE, file);
  REFUSED(PROT_READ, MAP_SHARED_VALIDATE | 0x200, file);
  REFUSED(PROT_READ, MAP_SHARED | 0x200, file);
  REFUSED(PROT_READ, MAP_SHARED_VALIDATE | MAP_GROWSDOWN, file);
  REFUSED(PROT_READ, MAP_PRIVATE | MAP_GROWSDOWN, file);
  REFUSED(PROT_READ, MAP_PRIVATE | MAP_HUGETLB, file);
  REFUSED(PROT_READ, MAP_SHARED_VALIDATE | MAP_SYNC, unnamed);
  REFUSED(PROT_READ, MAP_SHARED_VALIDATE | MAP_SYNC, zero);
  REFUSED(PROT_READ, MAP_SHARED_VALIDATE | MAP_SYNC, writer);
  REFUSED(PROT_READ, MAP_SHARED_VALIDATE | MAP_SYNC, file);
  REFUSED(PROT_READ, MAP_SHARED | MAP_SYNC, zero);
  REFUSED(PROT_READ, MAP_SHARED_VALIDATE | MAP_ANONYMOUS, -1);
  REFUSED(PROT_READ, MAP_SHARED | MAP_ANONYMOUS | MAP_GROWSDOWN, -1);
  REFUSED(PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1);
  REFUSED(PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_SYNC, -1);
  REFUSED(PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1);
  REFUSED(PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | 21 << 26, -1);
  REFUSED(PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | 20 << 26, -1);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  signal(SIGSEGV, on_fault);
  signal(SIGBUS, on_fault);
  anonymous();
  moved();
  files();
  code();
  refused();
  closed();
  shortened();
}
