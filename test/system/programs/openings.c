#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Which flags go together, what stays of them, and how many files may be open. */

static const int FLAGS[] = {
    O_RDONLY,
    O_RDWR | O_CREAT,
    O_RDONLY | O_DIRECTORY | O_CLOEXEC,
    O_RDONLY | O_NOFOLLOW | O_NOATIME,
    O_WRONLY | O_SYNC,
    O_WRONLY | O_DSYNC | O_APPEND,
    3,
    O_PATH | O_NOFOLLOW,
    O_PATH | O_RDWR,
    O_PATH | O_CREAT,
    O_RDWR | O_TMPFILE,
    O_RDWR | O_TMPFILE | O_EXCL,
    O_RDONLY | O_TMPFILE,
    O_RDWR | (O_TMPFILE & ~O_DIRECTORY),
    O_RDWR | O_TMPFILE | O_CREAT,
    O_PATH | O_TMPFILE | O_RDWR,
    O_DIRECTORY | O_CREAT,
};

static int open_strictly(const char *path, int flags) {
  struct open_how how = {(unsigned)flags, flags & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY)) ? 0644 : 0, 0};
  return syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
}

static void combinations(void) {
  const char *paths[] = {"directory", "file", "nothing"};
  mkdir("directory", 0755);
  close(open("file", O_CREAT | O_WRONLY, 0644));
  for (int i = 0; i < sizeof FLAGS / sizeof *FLAGS; i++)
    for (int at = 0; at < 3; at++)
      for (int strict = 0; strict < 2; strict++) {
        errno = 0;
        int fd = strict ? open_strictly(paths[at], FLAGS[i]) : open(paths[at], FLAGS[i], 0644);
        printf("%o %s %d: %d", FLAGS[i], paths[at], strict, errno);
        if (fd >= 0) printf(" %o", fcntl(fd, F_GETFL));
        printf("\n");
        close(fd);
        unlink("nothing");
      }
  errno = 0;
  printf("no path %d", open(NULL, O_RDONLY | O_TMPFILE) < 0 ? errno : 0);
  int ends[2];
  pipe2(ends, O_NONBLOCK | O_CLOEXEC);
  printf(", pipe %o, socket %o", fcntl(ends[1], F_GETFL), fcntl(socket(AF_UNIX, SOCK_STREAM, 0), F_GETFL));
  printf(", memory %o", fcntl(memfd_create("m", 0), F_GETFL));
  printf(", terminal %o\n", fcntl(open("/dev/ptmx", O_RDWR | O_NOCTTY), F_GETFL));
  char text[200];
  snprintf(text, sizeof text, "/proc/thread-self/fd/%d", ends[0]);
  printf("%d\n", access(text, F_OK));
}

static void numbers(void) {
  struct rlimit limit = {20, 4096};
  printf("%d", setrlimit(RLIMIT_NOFILE, &limit));
  int fd, last = -1;
  while ((fd = open("file", O_RDONLY)) >= 0) last = fd;
  printf(", until %d: %d", last, errno);
  printf(", dup %d", dup(0) < 0 ? errno : 0);
  printf(", dup2 %d", dup2(0, 20) < 0 ? errno : 0);
  printf(", F_DUPFD %d", fcntl(0, F_DUPFD, 20) < 0 ? errno : 0);
  int ends[2];
  printf(", pipe %d", pipe(ends) < 0 ? errno : 0);
  struct pollfd many[21] = {};
  for (int i = 0; i < 21; i++) many[i].fd = -1;
  printf(", poll %d", poll(many, 20, 0));
  printf(" %d\n", poll(many, 21, 0) < 0 ? errno : 0);
  close(7);
  printf("%d\n", dup(0));
  // More than there are at first, behind what select looked at until then.
  limit = (struct rlimit){2000, 4096};
  printf("%d", setrlimit(RLIMIT_NOFILE, &limit));
  unsigned char set[256] = {};
  set[1990 / 8] = 1 << 1990 % 8;
  pipe(ends);
  printf(" %d", dup2(ends[1], 1990));
  printf(" %d", (int)syscall(SYS_select, 1991, NULL, set, NULL, &(struct timeval){}));
  printf(" %d\n", set[1990 / 8]);
}

static int byText(const void *a, const void *b) { return strcmp(a, b); }

/* The entries of a directory, in the records of both calls that read them. */
static void entries(void) {
  mkdir("many", 0700);
  char name[32] = "many/";
  for (int length = 1; length < 20; length++) {
    name[4 + length] = 'a' + length;
    length % 3 ? close(open(name, O_CREAT | O_WRONLY, 0600)) : length % 2 ? mkdir(name, 0700) : symlink("nowhere", name);
  }
  static char bytes[4096], lines[64][64];
  for (int old = 0; old < 2; old++) {
    int directory = open("many", O_RDONLY), count = 0;
    long call = old ? SYS_getdents : SYS_getdents64, size;
    while ((size = syscall(call, directory, bytes, 200)) > 0)
      for (char *at = bytes; at < bytes + size; at += *(unsigned short *)(at + 16)) {
        int length = *(unsigned short *)(at + 16);
        sprintf(lines[count++], "%s %d %d", at + (old ? 18 : 19), length, at[old ? length - 1 : 18]);
      }
    qsort(lines, count, sizeof *lines, byText);
    for (int i = 0; i < count; i++) puts(lines[i]);
    lseek(directory, 0, SEEK_SET);
    printf("%ld %d", syscall(call, directory, bytes, 16), errno);
    printf(" %ld %d", syscall(call, directory, 8, 200), errno);
    printf(" %ld %d\n", syscall(call, 0, bytes, 200), errno);
    close(directory);
  }
}

int main(void) {
  combinations();
  numbers();
  entries();
}
