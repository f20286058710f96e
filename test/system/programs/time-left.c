#define _GNU_SOURCE
#include <poll.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* select, pselect6 and ppoll tell how much of their timeout was left; a process that has ended keeps its session. */

static void on_alarm(int signal) {}

static void alarm_soon(void) { setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {0, 20000}}, NULL); }

static void show(const char *name, int result, long seconds, long fraction) {
  printf("%s %d %d: %s\n", name, result, result < 0 ? errno : 0,
         seconds == 0 && fraction == 0           ? "nothing left"
         : seconds == 99 && fraction > 0         ? "most left"
         : seconds == 100 && fraction == 0       ? "all left"
                                                 : "else");
}

static void each(const char *what, int fd, long seconds, long fraction, int interrupted) {
  puts(what);
  fd_set set;
  struct timeval value = {seconds, fraction};
  struct timespec exact[2] = {{seconds, fraction}, {seconds, fraction}};
  FD_ZERO(&set);
  FD_SET(fd, &set);
  if (interrupted) alarm_soon();
  int result = syscall(SYS_select, fd + 1, &set, NULL, NULL, &value);
  show("select", result, value.tv_sec, value.tv_usec);
  FD_ZERO(&set);
  FD_SET(fd, &set);
  if (interrupted) alarm_soon();
  result = syscall(SYS_pselect6, fd + 1, &set, NULL, NULL, &exact[0], NULL);
  show("pselect6", result, exact[0].tv_sec, exact[0].tv_nsec);
  struct pollfd one = {fd, POLLIN};
  if (interrupted) alarm_soon();
  result = syscall(SYS_ppoll, &one, 1, &exact[1], NULL, 8);
  show("ppoll", result, exact[1].tv_sec, exact[1].tv_nsec);
}

int main(void) {
  int ends[2];
  pipe(ends);
  sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm, .sa_flags = SA_RESTART}, NULL);
  each("none comes", ends[0], 0, 1000, 0);
  each("none is waited for", ends[0], 0, 0, 0);
  each("a signal comes", ends[0], 100, 0, 1);
  if (fork() == 0) {
    usleep(20000);
    write(ends[1], "x", 1);
    _exit(0);
  }
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  struct timeval value = {100, 0};
  int result = select(ends[0] + 1, &set, NULL, NULL, &value);
  show("a byte comes", result, value.tv_sec, value.tv_usec);
  wait(NULL);
  static const struct timespec constant = {0, 1000};
  read(ends[0], &(char){0}, 1);
  printf("constant %ld\n", syscall(SYS_ppoll, &(struct pollfd){ends[0], POLLIN}, 1, &constant, NULL, 8));

  pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t info;
  waitid(P_PID, child, &info, WEXITED | WNOWAIT);
  printf("session %d, group %d", getsid(child) == getsid(0), getpgid(child) == getpgrp());
  printf(", signal %d\n", kill(child, 0));
  waitpid(child, NULL, 0);
  printf("afterwards %d", getsid(child) < 0 ? errno : 0);
  printf(" %d\n", kill(child, 0) < 0 ? errno : 0);
}
