/* epoll, eventfd, timerfd's settings, memfd, signalfd's creation, sendfile. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

int main(void) {
  int e = epoll_create1(EPOLL_CLOEXEC), counter = eventfd(3, EFD_NONBLOCK), ends[2];
  pipe(ends);
  struct epoll_event event = {EPOLLIN, {.u32 = 7}}, found[4] = {{0}};
  printf("%d ", epoll_ctl(e, EPOLL_CTL_ADD, counter, &event));
  event.data.u32 = 8;
  printf("%d ", epoll_ctl(e, EPOLL_CTL_ADD, ends[0], &event));
  printf("%d %d\n", epoll_ctl(e, EPOLL_CTL_ADD, ends[0], &event), errno == EEXIST);
  printf("%d %d\n", epoll_wait(e, found, 4, 0), found[0].data.u32);
  uint64_t value = 10;
  write(counter, &value, 8);
  read(counter, &value, 8);
  printf("%d %d\n", (int)value, (int)read(counter, &value, 8));
  printf("%d\n", epoll_wait(e, found, 4, 0));
  write(ends[1], "x", 1);
  printf("%d %d\n", epoll_wait(e, found, 4, -1), found[0].data.u32);
  int memory = memfd_create("name", 0);
  ftruncate(memory, 5000);
  char *p = mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  strcpy(p + 4000, "in memory");
  char text[20] = {0};
  pread(memory, text, 9, 4000);
  off_t at = 4003;
  printf("%s %zd ", text, sendfile(ends[1], memory, &at, 6));
  printf("%zd %s\n", read(ends[0], text, 20), text + 1);
}
