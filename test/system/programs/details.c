#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <linux/close_range.h>

/* Flags and modes of calls that programs use rarely. */

static void show(const char *what, long result) {
  int error = errno;
  printf("%s = %ld %s\n", what, result, result < 0 ? strerror(error) : "");
}
#define SHOW(call) (errno = 0, show(#call, call))

static void contents(int file) {
  char text[64];
  long count = pread(file, text, 63, 0);
  printf("%ld '", count);
  for (long i = 0; i < count; i++) putchar(text[i] ? text[i] : '.');
  printf("'\n");
}

static void allocation(void) {
  int file = open("allocated", O_RDWR | O_CREAT | O_TRUNC, 0600);
  struct stat facts;
  SHOW(fallocate(file, 0, 0, 10));
  pwrite(file, "0123456789abcdef", 16, 0);
  SHOW(fallocate(file, FALLOC_FL_KEEP_SIZE, 10, 100));
  fstat(file, &facts);
  printf("size %ld\n", facts.st_size);
  SHOW(fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 2, 3));
  contents(file);
  SHOW(fallocate(file, FALLOC_FL_PUNCH_HOLE, 2, 3));
  SHOW(fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 14, 300));
  contents(file);
  SHOW(fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 0));
  SHOW(fallocate(file, 0x100, 0, 1));
  SHOW(fallocate(file, 0, -1, 1));
  SHOW(posix_fallocate(file, 0, 30));
  contents(file);
  int reading = open("allocated", O_RDONLY);
  SHOW(fallocate(reading, 0, 0, 1));
  close(reading);
  SHOW(sync_file_range(file, 0, 4, SYNC_FILE_RANGE_WRITE));
  SHOW(syncfs(file));
  SHOW(fdatasync(file));
  SHOW(posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED));
  SHOW(posix_fadvise(file, 0, 0, 99));
  close(file);
}

static void vectors(void) {
  int file = open("vectors", O_RDWR | O_CREAT | O_TRUNC, 0600);
  char text[16];
  struct iovec parts[] = {{"abc", 3}, {"def", 3}};
  struct iovec room[] = {{text, 2}, {text + 2, 10}};
  SHOW(pwritev2(file, parts, 2, 0, 0));
  SHOW(pwritev2(file, parts, 1, 0, RWF_APPEND));
  SHOW(pwritev2(file, parts, 1, 1, RWF_SYNC | RWF_DSYNC));
  SHOW(pwritev2(file, parts, 2, -1, 0));
  contents(file);
  SHOW(preadv2(file, room, 2, 1, 0));
  SHOW(preadv2(file, room, 2, 1, 0x4000));
  SHOW(preadv2(file, room, 2, -1, 0));
  SHOW(preadv(file, room, -1, 0));
  SHOW(lseek(file, 0, SEEK_CUR));
  int ends[2];
  pipe(ends);
  SHOW(preadv2(ends[0], room, 2, -1, RWF_NOWAIT));
  SHOW(preadv(ends[0], room, 2, 0));
  close(file);
}

static void opening(void) {
  mkdir("inside", 0755);
  close(creat("inside/file", 0600));
  symlink("file", "inside/link");
  symlink("../allocated", "inside/out");
  int folder = open("inside", O_RDONLY | O_DIRECTORY);
  struct {
    const char *path;
    unsigned long flags, mode, resolve;
  } tries[] = {
    {"file", O_RDONLY, 0, 0},
    {"file", O_RDONLY, 0, RESOLVE_BENEATH},
    {"link", O_RDONLY, 0, RESOLVE_NO_SYMLINKS},
    {"link", O_RDONLY, 0, RESOLVE_BENEATH},
    {"out", O_RDONLY, 0, RESOLVE_BENEATH},
    {"out", O_RDONLY, 0, RESOLVE_IN_ROOT},
    {"../inside/file", O_RDONLY, 0, RESOLVE_BENEATH},
    {"../file", O_RDONLY, 0, RESOLVE_IN_ROOT},
    {"/file", O_RDONLY, 0, RESOLVE_IN_ROOT},
    {"/file", O_RDONLY, 0, RESOLVE_BENEATH},
    {"new", O_RDWR | O_CREAT, 0600, RESOLVE_BENEATH},
    {"file", O_RDONLY, 0600, 0},
    {"file", O_RDONLY | 1ul << 40, 0, 0},
    {"file", O_RDONLY, 0, 0x400},
    {"file", O_RDONLY | O_CREAT, 0200000, 0},
    {"/proc/self/fd/0", O_RDONLY, 0, RESOLVE_NO_MAGICLINKS},
  };
  for (int i = 0; i < sizeof tries / sizeof *tries; i++) {
    struct open_how how = {tries[i].flags, tries[i].mode, tries[i].resolve};
    errno = 0;
    long file = syscall(SYS_openat2, folder, tries[i].path, &how, sizeof how);
    printf("%s %lx: %d %s\n", tries[i].path, tries[i].resolve, file >= 0, errno ? strerror(errno) : "");
    if (file >= 0) close(file);
  }
  struct open_how how = {0};
  SHOW(syscall(SYS_openat2, folder, "file", &how, 8));
  SHOW(syscall(SYS_openat2, folder, "file", &how, 5000));
  int unnamed = open("inside", O_TMPFILE | O_RDWR, 0600);
  SHOW(unnamed >= 0);
  if (unnamed >= 0) {
    char path[64];
    write(unnamed, "kept", 4);
    struct stat facts;
    fstat(unnamed, &facts);
    printf("links %ld\n", facts.st_nlink);
    snprintf(path, 64, "/proc/self/fd/%d", unnamed);
    SHOW(linkat(AT_FDCWD, path, AT_FDCWD, "inside/named", AT_SYMLINK_FOLLOW));
    int named = open("inside/named", O_RDONLY);
    contents(named);
  }
}

static void renames(void) {
  int a = creat("a", 0600), b = creat("b", 0600);
  write(a, "A", 1), write(b, "B", 1);
  SHOW(renameat2(AT_FDCWD, "a", AT_FDCWD, "b", RENAME_NOREPLACE));
  SHOW(renameat2(AT_FDCWD, "a", AT_FDCWD, "b", RENAME_EXCHANGE));
  contents(open("a", O_RDONLY));
  SHOW(renameat2(AT_FDCWD, "a", AT_FDCWD, "none", RENAME_EXCHANGE));
  SHOW(renameat2(AT_FDCWD, "a", AT_FDCWD, "inside", RENAME_EXCHANGE));
  struct stat facts;
  stat("a", &facts);
  printf("directory %d\n", S_ISDIR(facts.st_mode));
  SHOW(renameat2(AT_FDCWD, "a", AT_FDCWD, "a/deeper", RENAME_EXCHANGE));
  SHOW(renameat2(AT_FDCWD, "a", AT_FDCWD, "b", RENAME_EXCHANGE | RENAME_NOREPLACE));
  SHOW(renameat2(AT_FDCWD, "a", AT_FDCWD, "b", 64));
}

static void times(void) {
  struct timespec wrong[2] = {{0, 1000000000}, {0, 0}}, both[2] = {{100, 5}, {200, 7}};
  struct stat facts;
  int file = open("timed", O_RDWR | O_CREAT, 0600);
  SHOW(utimensat(AT_FDCWD, "timed", wrong, 0));
  SHOW(utimensat(AT_FDCWD, "timed", both, 0));
  fstat(file, &facts);
  printf("%ld.%ld %ld.%ld\n", facts.st_atim.tv_sec, facts.st_atim.tv_nsec, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
  struct timespec parts[2] = {{0, UTIME_OMIT}, {300, 9}};
  SHOW(futimens(file, parts));
  fstat(file, &facts);
  printf("%ld.%ld %ld.%ld\n", facts.st_atim.tv_sec, facts.st_atim.tv_nsec, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
  parts[0] = (struct timespec){400, 1};
  parts[1].tv_nsec = UTIME_OMIT;
  SHOW(futimens(file, parts));
  fstat(file, &facts);
  printf("%ld.%ld %ld.%ld\n", facts.st_atim.tv_sec, facts.st_atim.tv_nsec, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
  SHOW(utimensat(AT_FDCWD, "timed", both, 0x4000));
  SHOW(utimensat(AT_FDCWD, "none", both, 0));
  symlink("timed", "timed-link");
  SHOW(utimensat(AT_FDCWD, "timed-link", both, AT_SYMLINK_NOFOLLOW));
  struct statx more;
  SHOW(statx(AT_FDCWD, "timed", 0, STATX_BASIC_STATS, &more));
  printf("%o %lu %ld\n", more.stx_mode, more.stx_size, more.stx_mtime.tv_sec);
  SHOW(statx(AT_FDCWD, "timed", AT_STATX_FORCE_SYNC | AT_STATX_DONT_SYNC, STATX_SIZE, &more));
  SHOW(statx(file, "", AT_EMPTY_PATH, STATX_SIZE, &more));
  SHOW(statx(file, "", 0, STATX_SIZE, &more));
}

static void descriptors(void) {
  int first = dup(0), second = dup(0), third = dup(0);
  SHOW(close_range(second, third, CLOSE_RANGE_CLOEXEC));
  SHOW(fcntl(first, F_GETFD));
  SHOW(fcntl(second, F_GETFD));
  SHOW(close_range(third, ~0u, 0));
  SHOW(fcntl(third, F_GETFD));
  SHOW(close_range(second, first, 0));
  SHOW(close_range(first, second, 64));
  SHOW(close_range(first, second, CLOSE_RANGE_UNSHARE));
  SHOW(fcntl(second, F_GETFD));
}

static void sealing(void) {
  int file = memfd_create("sealed", MFD_ALLOW_SEALING | MFD_CLOEXEC);
  ftruncate(file, 4096);
  SHOW(fcntl(file, F_GET_SEALS));
  char *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  SHOW(fcntl(file, F_ADD_SEALS, F_SEAL_WRITE));
  SHOW(fcntl(file, F_ADD_SEALS, 0x10));
  mapped[0] = 'x';
  SHOW(write(file, "y", 1));
  printf("%c\n", mapped[0]);
  SHOW(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED);
  char *reading = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  SHOW(reading == MAP_FAILED);
  SHOW(mprotect(reading, 4096, PROT_READ | PROT_WRITE));
  munmap(mapped, 4096);
  SHOW(fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW));
  SHOW(ftruncate(file, 100));
  SHOW(ftruncate(file, 5000));
  SHOW(fallocate(file, 0, 0, 5000));
  SHOW(fcntl(file, F_ADD_SEALS, F_SEAL_SEAL));
  SHOW(fcntl(file, F_ADD_SEALS, F_SEAL_GROW));
  SHOW(memfd_create("wrong", 0x4000));
  int plain = memfd_create("plain", 0);
  SHOW(fcntl(plain, F_ADD_SEALS, F_SEAL_GROW));
  SHOW(fcntl(0, F_GET_SEALS));
}

static void scheduling(void) {
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
  } attributes;
  memset(&attributes, 1, sizeof attributes);
  SHOW(syscall(SYS_sched_getattr, 0, &attributes, 48, 0));
  printf("%u %u %d %u\n", attributes.size, attributes.policy, attributes.nice, attributes.priority);
  attributes.nice = 2;
  SHOW(syscall(SYS_sched_setattr, 0, &attributes, 0));
  SHOW(getpriority(PRIO_PROCESS, 0));
  SHOW(nice(3));
  SHOW(getpriority(PRIO_PROCESS, getpid()));
  SHOW(setpriority(PRIO_PROCESS, 0, 7));
  SHOW(getpriority(PRIO_PROCESS, 0));
  SHOW(getpriority(9, 0));
  SHOW(getpriority(PRIO_PROCESS, 1234567));
  struct sched_param parameters = {5};
  SHOW(sched_getscheduler(0));
  SHOW(sched_setscheduler(0, SCHED_OTHER, &parameters));
  parameters.sched_priority = 0;
  SHOW(sched_setscheduler(0, SCHED_BATCH, &parameters));
  SHOW(sched_getscheduler(0));
  SHOW(sched_setscheduler(0, SCHED_OTHER, &parameters));
  SHOW(sched_getparam(0, &parameters));
  SHOW(sched_setscheduler(0, 77, &parameters));
  SHOW(sched_getscheduler(1234567));
  SHOW(sched_get_priority_max(SCHED_FIFO));
  SHOW(sched_get_priority_min(77));
  struct timespec interval;
  SHOW(sched_rr_get_interval(0, &interval));
  unsigned cpu = 99, node = 99;
  SHOW(getcpu(&cpu, &node));
  printf("node %u\n", node);
  SHOW(syscall(SYS_ioprio_get, 1, 0));
}

static void barriers(void) {
  SHOW(syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0));
  SHOW(syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0));
  SHOW(syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0));
  SHOW(syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0));
  SHOW(syscall(SYS_membarrier, 1 << 20, 0, 0));
  SHOW(syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 1, 0));
}

static void clocks(void) {
  struct timespec now, then, left;
  clock_gettime(CLOCK_MONOTONIC, &now);
  then = now;
  then.tv_nsec += 20000000;
  if (then.tv_nsec >= 1000000000) then.tv_nsec -= 1000000000, then.tv_sec++;
  SHOW(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, NULL));
  clock_gettime(CLOCK_MONOTONIC, &left);
  printf("late enough %d\n", left.tv_sec > then.tv_sec || left.tv_sec == then.tv_sec && left.tv_nsec >= then.tv_nsec);
  SHOW(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &now, NULL));
  then.tv_nsec = -1;
  SHOW(clock_nanosleep(CLOCK_REALTIME, 0, &then, NULL));
  SHOW(clock_nanosleep(77, 0, &now, NULL));
  struct timex state = {0};
  SHOW(adjtimex(&state) >= 0);
  printf("tick %ld\n", state.tick);
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct itimerspec wanted = {{0, 1000000}, {0, 5000000}}, old;
  uint64_t count = 0;
  SHOW(timerfd_settime(timer, 0, &wanted, &old));
  SHOW(read(timer, &count, 8));
  usleep(30000);
  SHOW(read(timer, &count, 8));
  printf("several %d\n", count > 10);
  SHOW(timerfd_settime(timer, 64, &wanted, &old));
  wanted.it_value.tv_nsec = 1000000000;
  SHOW(timerfd_settime(timer, 0, &wanted, &old));
  memset(&wanted, 0, sizeof wanted);
  SHOW(timerfd_settime(timer, 0, &wanted, &old));
  SHOW(timerfd_gettime(timer, &old));
  printf("%ld %ld\n", old.it_value.tv_nsec, old.it_interval.tv_nsec);
  SHOW(timerfd_create(77, 0));
  SHOW(timerfd_create(CLOCK_MONOTONIC, 1));
}

static void control(void) {
  int value = 77;
  SHOW(prctl(PR_SET_PDEATHSIG, SIGHUP));
  SHOW(prctl(PR_GET_PDEATHSIG, &value));
  printf("%d\n", value);
  SHOW(prctl(PR_SET_PDEATHSIG, 0));
  SHOW(prctl(PR_SET_PDEATHSIG, 99));
  SHOW(prctl(PR_GET_DUMPABLE));
  SHOW(prctl(PR_SET_DUMPABLE, 0));
  SHOW(prctl(PR_GET_DUMPABLE));
  SHOW(prctl(PR_SET_DUMPABLE, 1));
  SHOW(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  SHOW(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
  SHOW(prctl(PR_SET_CHILD_SUBREAPER, 1));
  value = 77;
  SHOW(prctl(PR_GET_CHILD_SUBREAPER, &value));
  printf("%d\n", value);
  SHOW(prctl(PR_SET_CHILD_SUBREAPER, 0));
  SHOW(prctl(PR_GET_KEEPCAPS));
  SHOW(prctl(PR_GET_TIMERSLACK) > 0);
  SHOW(prctl(PR_SET_TIMERSLACK, 1000));
  SHOW(prctl(PR_GET_TIMERSLACK));
  SHOW(prctl(12345));
  SHOW(prctl(PR_GET_TIMING));
  SHOW(prctl(PR_SET_TIMING, 1));
  SHOW(prctl(PR_GET_UNALIGN, &value));
  SHOW(prctl(PR_GET_TSC, &value));
  printf("%d\n", value);
  SHOW(prctl(PR_SET_TSC, PR_TSC_ENABLE));
  SHOW(prctl(PR_SET_TSC, 7));
  SHOW(prctl(PR_GET_SECUREBITS));
  SHOW(prctl(PR_MCE_KILL_GET, 0, 0, 0, 0));
  SHOW(prctl(PR_MCE_KILL_GET, 0, 0, 0, 1));
  SHOW(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, 1, 0, 0));
  SHOW(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0));
  SHOW(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, 99, 0, 0));
  SHOW(prctl(PR_CAP_AMBIENT, 9, 1, 0, 0));
  SHOW(prctl(PR_SET_NO_NEW_PRIVS, 1, 1, 0, 0));
  SHOW(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 1));
  SHOW(prctl(PR_GET_SPECULATION_CTRL, 99, 0, 0, 0));
  SHOW(prctl(PR_GET_SPECULATION_CTRL, 0, 0, 0, 1));
  SHOW(prctl(PR_TASK_PERF_EVENTS_DISABLE));
  SHOW(prctl(PR_TASK_PERF_EVENTS_ENABLE));
  long cleared = 1;
  SHOW(prctl(PR_GET_TID_ADDRESS, &cleared) <= 0);
  SHOW(syscall(SYS_unshare, CLONE_SYSVSEM));
  SHOW(unshare(0));
  SHOW(unshare(CLONE_FILES));
  SHOW(unshare(CLONE_FS));
  SHOW(unshare(0x1));
}

static void memory(void) {
  unsigned char residence[4];
  char *pages = mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  SHOW(mincore(pages, 4 * 4096, residence));
  printf("%d\n", residence[0] & 1);
  SHOW(mincore(pages + 1, 4096, residence));
  munmap(pages + 4096, 4096);
  SHOW(mincore(pages, 4 * 4096, residence));
  char bytes[16];
  SHOW(getrandom(bytes, 16, GRND_NONBLOCK));
  SHOW(getrandom(bytes, 16, GRND_RANDOM | GRND_INSECURE));
  SHOW(getrandom(bytes, 16, 64));
  struct sysinfo facts;
  SHOW(sysinfo(&facts));
  printf("%d %d\n", facts.mem_unit > 0, facts.procs > 0);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  umask(022);
  allocation();
  vectors();
  opening();
  renames();
  times();
  descriptors();
  sealing();
  scheduling();
  barriers();
  clocks();
  control();
  memory();
}
