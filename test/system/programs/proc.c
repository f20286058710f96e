#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What /proc and /sys say agrees with what system calls say. */

static char text[65536];

static const char *contents(const char *path) {
  memset(text, 0, sizeof text);
  int file = open(path, O_RDONLY);
  if (file < 0) return strerror(errno);
  long length = 0, count;
  while ((count = read(file, text + length, sizeof text - 1 - length)) > 0) length += count;
  close(file);
  return text;
}

static long field(const char *path, const char *name) {
  const char *at = strstr(contents(path), name);
  return at ? strtol(at + strlen(name), NULL, 0) : -1;
}

static unsigned long set(const char *name) {
  const char *at = strstr(contents("/proc/self/status"), name);
  return at ? strtoul(at + strlen(name), NULL, 16) : -1;
}

static void vector(void) {
  contents("/proc/self/auxv");
  const unsigned long *at = (const unsigned long *)text;
  int same = 1, count = 0;
  for (; *at; at += 2) {
    /* getauxval tells another number of this one. */
    if (at[0] != AT_SYSINFO_EHDR) same &= getauxval(at[0]) == at[1];
    count++;
  }
  printf("vector %d %d\n", same, count > 10);
}

static void limits(void) {
  struct rlimit files = {100, 200};
  setrlimit(RLIMIT_NOFILE, &files);
  struct rlimit core = {0, 0};
  setrlimit(RLIMIT_CORE, &core);
  contents("/proc/self/limits");
  char *line = strtok(text, "\n");
  for (; line; line = strtok(NULL, "\n"))
    if (strstr(line, "Limit") && strstr(line, "Units") || strstr(line, "open files") || strstr(line, "core file"))
      printf("%s|\n", line);
}

static void files(void) {
  int file = open("some", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  write(file, "12345", 5);
  char path[64];
  snprintf(path, 64, "/proc/self/fdinfo/%d", file);
  printf("position %ld flags %lo\n", field(path, "pos:\t"), field(path, "flags:\t"));
  DIR *folder = opendir("/proc/self/fdinfo");
  int count = 0;
  while (readdir(folder)) count++;
  closedir(folder);
  printf("entries %d\n", count > 5);
  int counter = eventfd(7, EFD_NONBLOCK);
  snprintf(path, 64, "/proc/self/fdinfo/%d", counter);
  printf("%d\n", strstr(contents(path), "eventfd-count:                7\n") != NULL);
  snprintf(path, 64, "/proc/self/fdinfo/77");
  printf("none: %s\n", contents(path));
  close(file), close(counter);
  unlink("some");
}

static int threads(void) {
  DIR *folder = opendir("/proc/self/task");
  struct dirent *entry;
  int count = 0;
  while ((entry = readdir(folder)))
    if (entry->d_name[0] != '.') count++;
  closedir(folder);
  return count;
}

static pthread_barrier_t barrier;

static void *thread(void *unused) {
  char path[64];
  prctl(PR_SET_NAME, "second");
  snprintf(path, 64, "/proc/self/task/%ld/comm", syscall(SYS_gettid));
  printf("name %s", contents(path));
  printf("own name %s", contents("/proc/thread-self/comm"));
  printf("status of thread %d\n", field("/proc/thread-self/status", "\nPid:\t") == syscall(SYS_gettid));
  printf("group of thread %d\n", field("/proc/thread-self/status", "Tgid:\t") == getpid());
  printf("first's name %s", contents("/proc/self/comm"));
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  char name[16];
  pthread_getname_np(pthread_self(), name, 16);
  printf("renamed %s\n", name);
  return NULL;
}

static void names(void) {
  pthread_t other;
  pthread_barrier_init(&barrier, NULL, 2);
  prctl(PR_SET_NAME, "a name that is too long");
  pthread_create(&other, NULL, thread, NULL);
  pthread_barrier_wait(&barrier);
  printf("threads %d %ld\n", threads(), field("/proc/self/status", "Threads:\t"));
  printf("renaming %d\n", pthread_setname_np(other, "by the first"));
  char name[16];
  pthread_getname_np(other, name, 16);
  printf("is %s\n", name);
  pthread_barrier_wait(&barrier);
  pthread_join(other, NULL);
  /* The kernel wakes who joins before the thread is gone. */
  for (int i = 0; i < 5000 && threads() > 1; i++) usleep(1000);
  printf("threads %d\n", threads());
  int file = open("/proc/self/comm", O_WRONLY);
  printf("wrote %ld\n", write(file, "written\n", 8));
  close(file);
  prctl(PR_GET_NAME, name);
  printf("now %s, %s", name, contents("/proc/self/comm"));
}

static void handler(int signal) {}

static void signals(void) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigaddset(&blocked, SIGUSR2);
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  signal(SIGHUP, SIG_IGN);
  signal(SIGTERM, handler);
  raise(SIGUSR1);
  kill(getpid(), SIGUSR2);
  unsigned long bits = 1ul << 11 | 1ul << 9 | 1 | 1ul << 14;
  printf("blocked %lx ignored %lx caught %lx\n", set("SigBlk:\t") & bits, set("SigIgn:\t") & bits, set("SigCgt:\t") & bits);
  printf("pending %lx %lx\n", set("SigPnd:\t") & bits, set("ShdPnd:\t") & bits);
}

static unsigned long stat_field(int number) {
  contents("/proc/self/stat");
  const char *at = strrchr(text, ')');
  for (int i = 2; i < number; i++) at = strchr(at, ' ') + 1;
  return strtoul(at, NULL, 10);
}

static void process(char **arguments) {
  printf("parent %d\n", field("/proc/self/status", "PPid:\t") == getppid());
  int id, parent, group, session;
  char name[32], state;
  sscanf(contents("/proc/self/stat"), "%d (%31[^)]) %c %d %d %d", &id, name, &state, &parent, &group, &session);
  printf("stat %d %s %c %d %d %d\n", id == getpid(), name, state, parent == getppid(), group == getpgrp(), session == getsid(0));
  /* The number of arguments lies below them. */
  printf("stack %d\n", stat_field(28) == (unsigned long)(arguments - 1));
  contents("/proc/self/stat");
  int fields = 0;
  for (const char *at = text; *at; at++) fields += *at == ' ';
  printf("fields %d\n", fields + 1);
  printf("arguments '%s' '%d'\n", contents("/proc/self/cmdline") + strlen(text) - 4, strlen(text) > 4);
  printf("environment %d\n", memmem(contents("/proc/self/environ"), sizeof text, "LC_ALL=C", 9) != NULL);
  unsigned long size, resident;
  printf("memory %d\n", sscanf(contents("/proc/self/statm"), "%lu %lu", &size, &resident) == 2 && size >= resident && resident > 0);
  printf("adjustment %s", contents("/proc/self/oom_score_adj"));
  int file = open("/proc/self/oom_score_adj", O_WRONLY);
  printf("wrote %ld\n", write(file, "500", 3));
  printf("wrote %ld\n", write(file, "5000", 4));
  close(file);
  printf("adjustment %s", contents("/proc/self/oom_score_adj"));
  printf("executable %d\n", access("/proc/self/exe", X_OK));
  printf("none: %s\n", contents("/proc/self/nothing"));
  printf("none: %s\n", contents("/proc/1234567/stat"));
}

static long resident(void) {
  unsigned long size, resident;
  sscanf(contents("/proc/self/statm"), "%lu %lu", &size, &resident);
  long same = (long)stat_field(24) - (long)resident;
  long kib = field("/proc/self/status", "VmRSS:\t") / 4 - (long)resident;
  if (labs(same) > 1024 || labs(kib) > 1024) printf("told in three ways: %ld %ld\n", same, kib);
  return resident;
}

static long before;

/* In MiB, to the nearest 4: Linux takes pages together, and counts them later. */
static void grown(const char *why) {
  long now = resident(), some = 4 * 256, many = 100 * some;
  printf("%s: %ld\n", why, ((now - before + many + some / 2) / some - many / some) * 4);
  before = now;
}

/* Pages count that were touched: neither what is reserved nor what was given back. */
static void memory(void) {
  long mib = 1 << 20;
  before = resident();
  char *at = mmap(NULL, 64 * mib, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *far = mmap(NULL, 4096 * mib, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  mmap(NULL, 4096 * mib, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  grown("mapped");
  memset(at, 1, 16 * mib);
  grown("touched");
  memset(far + 1024 * mib, 1, 8 * mib);
  grown("touched far away");
  mprotect(at, 16 * mib, PROT_NONE);
  grown("protected");
  mprotect(at, 16 * mib, PROT_READ | PROT_WRITE);
  madvise(at, 16 * mib, MADV_DONTNEED);
  grown("given back");
  munmap(far, 4096 * mib);
  grown("unmapped");
  char *shared = mmap(NULL, 32 * mib, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  grown("shared");
  memset(shared, 1, 12 * mib);
  grown("touched in it");
}

static void processors(void) {
  cpu_set_t allowed;
  sched_getaffinity(0, sizeof allowed, &allowed);
  printf("first core %d\n", atoi(contents("/sys/devices/system/cpu/cpu0/topology/core_id")) >= 0);
  printf("online %d\n", contents("/sys/devices/system/cpu/online")[0] == '0');
  printf("nodes %d\n", contents("/sys/devices/system/node/online")[0] == '0');
  printf("present %d\n", contents("/sys/devices/system/cpu/present")[0] == '0');
}

int main(int count, char **arguments) {
  setvbuf(stdout, NULL, _IONBF, 0);
  vector();
  limits();
  files();
  names();
  signals();
  process(arguments);
  memory();
  processors();
}
