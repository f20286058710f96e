/* open flags, dup, fcntl, pread, lseek past the end, readv, pipes in one process, poll and select, errors. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
  char text[64] = {0};
  int fd = open("d.txt", O_CREAT | O_EXCL | O_RDWR, 0600);
  printf("%d %d %s\n", fd, open("d.txt", O_CREAT | O_EXCL, 0600), strerror(errno));
  struct iovec out[3] = {{"vec", 3}, {"tored ", 6}, {"write", 5}};
  printf("%zd %ld\n", writev(fd, out, 3), (long)lseek(fd, 100, SEEK_SET));
  write(fd, "end", 3);
  printf("%zd [%s] %zd\n", pread(fd, text, 9, 3), text, pread(fd, text, 60, 103));
  struct iovec in[2] = {{text, 2}, {text + 10, 4}};
  lseek(fd, 98, SEEK_SET);
  printf("%zd %d%d%c\n", readv(fd, in, 2), text[0], text[1], text[10]);
  int copy = dup(fd), third = dup2(fd, 20), fourth = fcntl(fd, F_DUPFD_CLOEXEC, 30);
  lseek(copy, 5, SEEK_SET);
  printf("%d %d %d %ld %d %d\n", copy, third, fourth, (long)lseek(fourth, 0, SEEK_CUR), fcntl(fourth, F_GETFD), fcntl(fd, F_GETFL) & O_ACCMODE);
  close(copy);
  printf("%zd %s\n", read(copy, text, 1), strerror(errno));
  int ends[2];
  pipe2(ends, O_NONBLOCK);
  printf("%zd %s\n", read(ends[0], text, 1), strerror(errno));
  struct pollfd p[2] = {{ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}};
  printf("%d %d\n", poll(p, 2, 0), p[0].revents | p[1].revents << 8);
  write(ends[1], "pipe", 4);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  printf("%d %d\n", select(ends[0] + 1, &set, NULL, NULL, NULL), poll(p, 2, -1));
  close(ends[1]);
  printf("%zd %zd\n", read(ends[0], text, 10), read(ends[0], text, 10));
  printf("%d %d\n", ftruncate(fd, 7), (int)lseek(fd, 0, SEEK_END));
  printf("%d %s\n", open("none/such", O_RDONLY), strerror(errno));
  printf("%d %d\n", unlink("d.txt"), access("d.txt", F_OK));
}
