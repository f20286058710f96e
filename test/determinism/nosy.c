/* Prints everything by which a program could tell one machine, user, directory or moment from another. */
#define _GNU_SOURCE
#include <cpuid.h>
#include <dirent.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

extern char **environ;

static void show_file(const char *path) {
  struct stat s;
  if (stat(path, &s) != 0) return (void)printf("%s missing\n", path);
  printf("%s %lu %lu %o %lu %u %u %ld %ld %ld.%ld\n", path, s.st_dev, s.st_ino, s.st_mode, s.st_nlink, s.st_uid, s.st_gid, (long)s.st_size,
         s.st_blksize, s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
}

/* Lets the instruction count depend on what is seen, too. */
__attribute__((noinline)) static unsigned spin(unsigned long seed) {
  unsigned n = 0;
  for (seed %= 1000; seed != 0; seed >>= 1) n += seed & 1;
  return n;
}

int main(int argc, char **argv) {
  int local;
  void *heap = malloc(100), *large = malloc(1 << 20);
  printf("%d %s %p %p %p %p %p\n", argc, argv[0], (void *)&local, heap, large, (void *)main, (void *)printf);
  for (char **e = environ; *e != NULL; e++) puts(*e);
  char directory[500], link[500] = "";
  printf("%s %zd\n", getcwd(directory, sizeof directory), readlink("/proc/self/exe", link, sizeof link - 1));
  printf("%s\n%d %d %d %d\n", link, getpid(), getppid(), getuid(), getgid());
  struct timespec now, ticks;
  clock_gettime(CLOCK_REALTIME, &now);
  clock_gettime(CLOCK_MONOTONIC, &ticks);
  printf("%ld %ld.%09ld %ld.%09ld %ld %llu\n", time(NULL), now.tv_sec, now.tv_nsec, ticks.tv_sec, ticks.tv_nsec, clock(), __rdtsc());
  struct utsname system;
  uname(&system);
  printf("%s %s %s %s %s\n", system.sysname, system.nodename, system.release, system.version, system.machine);
  unsigned a, b, c, d, random[4];
  for (unsigned leaf = 0; leaf < 8; leaf++) {
    __cpuid_count(leaf, 0, a, b, c, d);
    printf("%x %x %x %x\n", a, b, c, d);
  }
  getrandom(random, sizeof random, 0);
  unsigned char *seed = (unsigned char *)getauxval(AT_RANDOM);
  printf("%08x %08x %02x%02x %s %lx\n", random[0], random[3], seed[0], seed[15], (char *)getauxval(AT_EXECFN), getauxval(AT_HWCAP));
  struct rlimit stack, descriptors;
  getrlimit(RLIMIT_STACK, &stack);
  getrlimit(RLIMIT_NOFILE, &descriptors);
  printf("%lu %lu %lu %ld %ld %d\n", stack.rlim_cur, stack.rlim_max, descriptors.rlim_cur, sysconf(_SC_NPROCESSORS_ONLN), sysconf(_SC_PHYS_PAGES), isatty(1));
  mode_t mask = umask(022);
  printf("%o\n", mask);
  struct passwd *user = getpwuid(getuid());
  printf("%s %s %s\n", user ? user->pw_name : "-", user ? user->pw_dir : "-", getenv("HOME") ? getenv("HOME") : "-");
  show_file(".");
  show_file(argv[0]);
  show_file("..");
  show_file("/proc/self/maps");
  DIR *entries = opendir(".");
  for (struct dirent *e; (e = readdir(entries)) != NULL;) printf("%s %lu\n", e->d_name, e->d_ino);
  closedir(entries);
  FILE *maps = fopen("/proc/self/maps", "r");
  for (int ch; maps != NULL && (ch = getc(maps)) != EOF;) putchar(ch);
  printf("%u %u %u\n", spin(random[1]), spin((unsigned long)now.tv_nsec), spin((unsigned long)&local >> 4));
  return 0;
}
