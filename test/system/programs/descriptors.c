#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

/* Descriptors that tell of something, and calls that wait for several of them. */

#define SHOW(call)                                                              \
  do {                                                                          \
    errno = 0;                                                                  \
    long result = (call);                                                       \
    printf("%s = %ld %s\n", #call, result, result < 0 ? strerror(errno) : ""); \
  } while (0)

static void counters(void) {
  uint64_t value = 0;
  int fd = eventfd(3, EFD_NONBLOCK);
  SHOW(read(fd, &value, 8));
  printf("%lu\n", value);
  SHOW(read(fd, &value, 8));
  SHOW(read(fd, &value, 7));
  value = 5;
  SHOW(write(fd, &value, 8));
  SHOW(write(fd, &value, 8));
  value = -2;
  SHOW(write(fd, &value, 8));
  value = -1;
  SHOW(write(fd, &value, 8));
  SHOW(read(fd, &value, 8));
  printf("%lu\n", value);
  close(fd);
  fd = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC);
  for (int i = 0; i < 3; i++) {
    SHOW(read(fd, &value, 8));
    printf("%lu\n", value);
  }
  SHOW(fcntl(fd, F_GETFD));
  SHOW(lseek(fd, 0, SEEK_SET));
  close(fd);
}

static void wait_for(int epoll, int timeout) {
  struct epoll_event events[8];
  errno = 0;
  int count = epoll_wait(epoll, events, 8, timeout);
  printf("epoll_wait %d", count);
  for (int i = 0; i < count; i++) printf(" %x:%lu", events[i].events, events[i].data.u64);
  printf("\n");
}

static void interests(void) {
  int epoll = epoll_create1(EPOLL_CLOEXEC), ends[2], other = eventfd(0, 0);
  uint64_t one = 1;
  char buffer[16];
  pipe(ends);
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = 7};
  SHOW(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event));
  SHOW(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event));
  SHOW(epoll_ctl(epoll, EPOLL_CTL_MOD, other, &event));
  SHOW(epoll_ctl(epoll, EPOLL_CTL_ADD, epoll, &event));
  SHOW(epoll_ctl(epoll, EPOLL_CTL_DEL, 99, &event));
  int file = open("file", O_CREAT | O_RDWR, 0600);
  SHOW(epoll_ctl(epoll, EPOLL_CTL_ADD, file, &event));
  event.events = EPOLLIN | EPOLLET;
  event.data.u64 = 8;
  epoll_ctl(epoll, EPOLL_CTL_ADD, other, &event);
  wait_for(epoll, 0);
  write(ends[1], "abc", 3);
  write(other, &one, 8);
  wait_for(epoll, -1);
  wait_for(epoll, -1);
  write(other, &one, 8);
  wait_for(epoll, 10);
  read(ends[0], buffer, 16);
  wait_for(epoll, 10);
  event.events = EPOLLIN | EPOLLONESHOT;
  event.data.u64 = 9;
  epoll_ctl(epoll, EPOLL_CTL_MOD, other, &event);
  wait_for(epoll, 0);
  wait_for(epoll, 0);
  close(ends[1]);
  wait_for(epoll, 0);
  close(ends[0]);
  epoll_ctl(epoll, EPOLL_CTL_DEL, other, NULL);
  wait_for(epoll, 0);
  struct pollfd polled[] = {{epoll, POLLIN}, {other, POLLIN | POLLOUT}, {77, POLLIN}, {-1, POLLIN}};
  printf("poll %d", poll(polled, 4, 0));
  for (int i = 0; i < 4; i++) printf(" %x", polled[i].revents);
  printf("\n");
}

/* A counter at its maximum takes nothing more; at an edge, a write is news to readers and a read to writers. */
static void full_counters(void) {
  uint32_t wanted[] = {EPOLLIN | EPOLLOUT, EPOLLIN, EPOLLOUT};
  for (int i = 0; i < 3; i++) {
    int counter = eventfd(0, EFD_NONBLOCK), epoll = epoll_create1(0);
    struct epoll_event asked = {wanted[i] | EPOLLET, {.u64 = i}};
    SHOW(epoll_ctl(epoll, EPOLL_CTL_ADD, counter, &asked));
    wait_for(epoll, 0);
    uint64_t values[] = {3, -2, 1}, value;
    for (int at = 0; at < 3; at++) {
      SHOW(write(counter, &values[at], 8));
      wait_for(epoll, 0);
      wait_for(epoll, 0);
      struct pollfd one = {counter, POLLIN | POLLOUT};
      SHOW(poll(&one, 1, 0));
      printf("%x\n", one.revents);
      if (at == 1) continue;
      SHOW(read(counter, &value, 8));
      wait_for(epoll, 0);
      wait_for(epoll, 0);
    }
    close(counter);
    close(epoll);
  }
}

static void timers(void) {
  uint64_t count;
  int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  struct itimerspec wanted = {{0, 20000000}, {0, 50000000}}, now;
  SHOW(timerfd_settime(fd, 0, &wanted, NULL));
  struct pollfd polled = {fd, POLLIN};
  SHOW(poll(&polled, 1, 0));
  SHOW(poll(&polled, 1, 10000));
  SHOW(read(fd, &count, 8));
  printf("%lu\n", count);
  SHOW(timerfd_gettime(fd, &now));
  printf("%ld %d\n", now.it_interval.tv_nsec, now.it_value.tv_nsec > 0 && now.it_value.tv_nsec <= 20000000);
  struct timespec pause = {0, 70000000};
  nanosleep(&pause, NULL);
  SHOW(read(fd, &count, 8));
  printf("%d\n", count == 3 || count == 4);
  wanted.it_value.tv_nsec = 0;
  SHOW(timerfd_settime(fd, 0, &wanted, NULL));
  fcntl(fd, F_SETFL, O_NONBLOCK);
  SHOW(read(fd, &count, 8));
  SHOW(timerfd_create(99, 0));
}

static void signals(void) {
  sigset_t set;
  struct signalfd_siginfo info[3];
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &set, NULL);
  int fd = signalfd(-1, &set, SFD_NONBLOCK);
  SHOW(read(fd, info, sizeof info));
  raise(SIGUSR1);
  sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 11});
  struct pollfd polled = {fd, POLLIN};
  SHOW(poll(&polled, 1, -1));
  SHOW(read(fd, info, sizeof info));
  for (int i = 0; i < 2; i++)
    printf("%d code %d value %d own %d\n", info[i].ssi_signo, info[i].ssi_code, info[i].ssi_int, info[i].ssi_pid == getpid());
  SHOW(read(fd, info, 10));
}

static void connections(void) {
  int ends[2], value;
  socklen_t length = sizeof value;
  char buffer[32] = {0};
  SHOW(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
  SHOW(write(ends[0], "hello", 5));
  SHOW(ioctl(ends[1], FIONREAD, &value));
  printf("%d\n", value);
  SHOW(recv(ends[1], buffer, 3, MSG_PEEK));
  SHOW(recv(ends[1], buffer, 32, 0));
  printf("%s\n", buffer);
  SHOW(recv(ends[1], buffer, 32, MSG_DONTWAIT));
  struct iovec parts[] = {{"one ", 4}, {"two", 4}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  SHOW(sendmsg(ends[1], &message, 0));
  SHOW(read(ends[0], buffer, 32));
  printf("%s\n", buffer);
  SHOW(getsockopt(ends[0], SOL_SOCKET, SO_TYPE, &value, &length));
  printf("%d %d\n", value, length);
  SHOW(shutdown(ends[0], SHUT_WR));
  SHOW(read(ends[1], buffer, 32));
  SHOW(send(ends[0], "x", 1, MSG_NOSIGNAL));
  struct pollfd polled[] = {{ends[0], POLLIN | POLLOUT}, {ends[1], POLLIN | POLLOUT | POLLRDHUP}};
  SHOW(poll(polled, 2, 0));
  printf("%x %x\n", polled[0].revents, polled[1].revents);
  close(ends[0]);
  SHOW(poll(polled + 1, 1, 0));
  printf("%x\n", polled[1].revents);
  SHOW(send(ends[1], "x", 1, MSG_NOSIGNAL));
  SHOW(lseek(ends[1], 0, SEEK_CUR));
}

static void selects(void) {
  int ends[2];
  fd_set in, out;
  pipe(ends);
  FD_ZERO(&in);
  FD_ZERO(&out);
  FD_SET(ends[0], &in);
  FD_SET(ends[1], &out);
  struct timeval soon = {0, 1000};
  SHOW(select(ends[1] + 1, &in, &out, NULL, &soon));
  printf("%d %d\n", FD_ISSET(ends[0], &in), FD_ISSET(ends[1], &out));
  FD_SET(ends[0], &in);
  SHOW(select(ends[0] + 1, &in, NULL, NULL, &soon));
  struct timespec moment = {0, 1000};
  write(ends[1], "x", 1);
  FD_SET(ends[0], &in);
  SHOW(pselect(ends[0] + 1, &in, NULL, NULL, &moment, NULL));
  int watch = inotify_init1(IN_NONBLOCK);
  SHOW(inotify_add_watch(watch, ".", IN_OPEN) > 0);
  char event[64];
  SHOW(read(watch, event, 64));
}

/* Who would hear of input by a signal. */
static void owners(void) {
  int ends[2], file = open("owned", O_CREAT | O_RDWR, 0600), on = 1, off = 0;
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  printf("owner %d, asynchronous %d", fcntl(ends[0], F_GETOWN), ioctl(ends[0], FIOASYNC, &on));
  printf(" %o", fcntl(ends[0], F_GETFL));
  printf(", not %d", ioctl(ends[0], FIOASYNC, &off));
  printf(" %o\n", fcntl(ends[0], F_GETFL));
  printf("us %d %d", fcntl(ends[0], F_SETOWN, getpid()), fcntl(ends[0], F_GETOWN) == getpid());
  printf(", our group %d", fcntl(ends[0], F_SETOWN, -getpgrp()));
  errno = 0;
  printf(" %d, nobody %d", fcntl(ends[0], F_GETOWN) == -getpgrp(), fcntl(ends[0], F_SETOWN, 0x3fffffff));
  printf(" %d, undone %d", errno, fcntl(ends[0], F_SETOWN, 0));
  printf(" %d\n", fcntl(ends[0], F_GETOWN));
  printf("of a file %d", ioctl(file, FIOASYNC, &on));
  printf(" %d, off %d\n", errno, ioctl(file, FIOASYNC, &off));
}

/* Devices of memory have no position. */
static void positions(void) {
  static const char *const names[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/urandom"};
  for (int i = 0; i < 4; i++) {
    int device = open(names[i], O_RDONLY);
    char bytes[10];
    read(device, bytes, 10);
    for (int whence = 0; whence < 6; whence++) {
      SHOW(lseek(device, 7, whence));
      SHOW(lseek(device, -7, whence));
    }
    close(device);
  }
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  counters();
  interests();
  full_counters();
  timers();
  signals();
  connections();
  selects();
  owners();
  positions();
}
