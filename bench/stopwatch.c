/*
 * stopwatch SECONDS PROGRAM [ARG]... runs a program and writes one line to file descriptor 3:
 * how it ended, wall seconds, user and system seconds, and the peak of resident memory in kilobytes.
 * A process of its own measures what Node's child_process does not tell, and adds nothing to it: fork and exec only.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;
static pid_t child;

static void stop(int signal) {
  (void)signal;
  kill(child, SIGKILL);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double of(struct timeval time) { return (double)time.tv_sec + 1e-6 * (double)time.tv_usec; }

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  fcntl(3, F_SETFD, FD_CLOEXEC);
  double limit = strtod(argv[1], NULL), start = seconds();
  int problem = posix_spawnp(&child, argv[2], NULL, NULL, argv + 2, environ);
  if (problem != 0) {
    fprintf(stderr, "%s: %s\n", argv[2], strerror(problem));
    return 2;
  }
  signal(SIGALRM, stop);
  signal(SIGTERM, stop);
  signal(SIGINT, stop);
  struct itimerval timer = {{0, 0}, {(time_t)limit, 0}};
  setitimer(ITIMER_REAL, &timer, NULL);
  int status;
  struct rusage usage;
  while (wait4(child, &status, 0, &usage) < 0)
    if (errno != EINTR) return 2;
  double wall = seconds() - start;
  dprintf(3, "%s %d %.6f %.6f %.6f %ld\n", WIFEXITED(status) ? "exit" : "signal",
          WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), wall, of(usage.ru_utime), of(usage.ru_stime),
          usage.ru_maxrss);
  return 0;
}
