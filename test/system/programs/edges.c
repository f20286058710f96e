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
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* When epoll tells of an edge, and what signalfd and timerfd tell. */

static int epoll;

static void told(const char *after) {
  struct epoll_event events[8];
  int count = epoll_wait(epoll, events, 8, 0);
  printf("%s:", after);
  for (int i = 0; i < count; i++) printf(" %x:%d", events[i].events, events[i].data.fd);
  printf("\n");
}

static void watch(int operation, int file, unsigned events) {
  struct epoll_event event = {events, {.fd = file}};
  errno = 0;
  if (epoll_ctl(epoll, operation, file, &event)) printf("epoll_ctl: %s\n", strerror(errno));
}

static void pipes(void) {
  int ends[2];
  static char many[65536];
  pipe2(ends, O_NONBLOCK);
  watch(EPOLL_CTL_ADD, ends[0], EPOLLIN | EPOLLET);
  watch(EPOLL_CTL_ADD, ends[1], EPOLLOUT | EPOLLET);
  told("new");
  told("again");
  write(ends[1], "ab", 2);
  told("written");
  write(ends[1], "cd", 2);
  told("written again");
  read(ends[0], many, 1);
  told("read one");
  read(ends[0], many, 10);
  told("read all");
  write(ends[1], many, 65536);
  told("full");
  read(ends[0], many, 100);
  told("room for few");
  read(ends[0], many, 65536);
  told("empty");
  watch(EPOLL_CTL_MOD, ends[1], EPOLLOUT | EPOLLET);
  told("set again");
  close(ends[1]);
  told("closed");
  told("again");
  watch(EPOLL_CTL_MOD, ends[0], EPOLLIN);
  told("by level");
  told("by level");
  close(ends[0]);
  told("gone");
}

static void sockets(void) {
  int ends[2];
  char text[16];
  socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends);
  watch(EPOLL_CTL_ADD, ends[0], EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
  told("new");
  write(ends[1], "a", 1);
  told("one");
  write(ends[1], "b", 1);
  told("two");
  read(ends[0], text, 1);
  told("read one");
  read(ends[0], text, 16);
  read(ends[0], text, 16);
  told("read all");
  shutdown(ends[1], SHUT_WR);
  told("shut");
  close(ends[1]);
  told("closed");
  close(ends[0]);
}

static void once(void) {
  int counter = eventfd(0, EFD_NONBLOCK);
  uint64_t value = 1;
  watch(EPOLL_CTL_ADD, counter, EPOLLIN | EPOLLONESHOT);
  told("nothing");
  write(counter, &value, 8);
  told("once");
  told("once");
  watch(EPOLL_CTL_MOD, counter, EPOLLIN | EPOLLONESHOT);
  told("set again");
  watch(EPOLL_CTL_MOD, counter, EPOLLIN | EPOLLET);
  told("edge");
  told("edge");
  write(counter, &value, 8);
  told("written");
  read(counter, &value, 8);
  told("read");
  value = 5;
  write(counter, &value, 8);
  told("written");
  int copy = dup(counter);
  close(counter);
  write(copy, &value, 8);
  told("through a copy");
  watch(EPOLL_CTL_DEL, copy, 0);
  close(copy);
  told("all closed");
}

static void nested(void) {
  int inner = epoll_create1(0), outer = epoll, counter = eventfd(0, 0);
  uint64_t value = 1;
  epoll = inner;
  watch(EPOLL_CTL_ADD, counter, EPOLLIN);
  epoll = outer;
  watch(EPOLL_CTL_ADD, inner, EPOLLIN);
  told("inner has nothing");
  write(counter, &value, 8);
  told("inner has something");
  struct pollfd polled = {inner, POLLIN, 0};
  printf("poll %d\n", poll(&polled, 1, 0));
  epoll = inner;
  told("inner");
  watch(EPOLL_CTL_ADD, outer, EPOLLIN);
  epoll = outer;
  close(inner), close(counter);
  told("gone");
  int file = open("/proc/self/status", O_RDONLY);
  watch(EPOLL_CTL_ADD, file, EPOLLIN);
  struct epoll_event event = {EPOLLIN | EPOLLEXCLUSIVE | EPOLLONESHOT};
  int another = eventfd(0, 0);
  watch(EPOLL_CTL_ADD, another, EPOLLIN | EPOLLEXCLUSIVE | EPOLLONESHOT);
  watch(EPOLL_CTL_ADD, another, EPOLLIN | EPOLLEXCLUSIVE);
  watch(EPOLL_CTL_MOD, another, EPOLLIN | EPOLLEXCLUSIVE);
  watch(7, another, EPOLLIN);
  close(another);
}

static void signals(void) {
  sigset_t set;
  struct signalfd_siginfo infos[4];
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &set, NULL);
  int file = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  watch(EPOLL_CTL_ADD, file, EPOLLIN | EPOLLET);
  told("no signal");
  raise(SIGUSR1);
  told("signal");
  union sigval value = {.sival_int = 42};
  sigqueue(getpid(), SIGRTMIN, value);
  value.sival_int++;
  sigqueue(getpid(), SIGRTMIN, value);
  told("two more");
  long length = read(file, infos, sizeof infos);
  printf("%ld:", length);
  for (int i = 0; i < length / (long)sizeof *infos; i++)
    printf(" %u code %d pid %d int %d", infos[i].ssi_signo, infos[i].ssi_code, infos[i].ssi_pid == getpid(), infos[i].ssi_int);
  printf("\n%ld\n", read(file, infos, sizeof infos));
  printf("short %ld\n", read(file, infos, 100));
  sigdelset(&set, SIGUSR1);
  printf("other set %d\n", signalfd(file, &set, 0) == file);
  raise(SIGUSR1);
  told("not in the set");
  printf("bad %d\n", signalfd(0, &set, 0));
  close(file);
}

static void timers(void) {
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  struct itimerspec wanted = {{0, 0}, {0, 3000000}};
  uint64_t count;
  watch(EPOLL_CTL_ADD, timer, EPOLLIN | EPOLLET);
  timerfd_settime(timer, 0, &wanted, NULL);
  told("armed");
  usleep(10000);
  told("expired");
  told("expired");
  printf("read %ld %lu\n", read(timer, &count, 8), count);
  timerfd_settime(timer, 0, &wanted, NULL);
  usleep(10000);
  told("again");
  timerfd_settime(timer, 0, &wanted, NULL);
  printf("read %ld\n", read(timer, &count, 8));
  printf("write %ld\n", write(timer, &count, 8));
  wanted.it_value.tv_nsec = 1;
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &wanted, NULL);
  printf("past %ld\n", read(timer, &count, 8));
  close(timer);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  epoll = epoll_create1(EPOLL_CLOEXEC);
  pipes();
  sockets();
  once();
  nested();
  signals();
  timers();
}
