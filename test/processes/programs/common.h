#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* What is said is written at once, so that a fork copies no buffer. */
static void say(const char *format, ...) {
  char text[512];
  va_list rest;
  va_start(rest, format);
  int length = vsnprintf(text, sizeof text, format, rest);
  va_end(rest);
  for (int at = 0; at < length;) at += write(1, text + at, length - at);
}

static int ended(pid_t child) {
  int status;
  if (waitpid(child, &status, 0) != child) return -errno;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* What went wrong, 0 for nothing. */
static int failure(long result) { return result == -1 ? errno : 0; }
