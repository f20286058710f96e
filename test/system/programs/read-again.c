#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Files of /proc say what is so when their beginning is read, not when they were opened; the rest is of the same moment. */

static char text[4096];

static void show(const char *what, ssize_t length) {
  if (length < 0) {
    printf("%s: nothing\n", what);
    return;
  }
  text[length] = 0;
  char *state = strstr(text, "State:");
  printf("%s: %.*s, %.9s\n", what, (int)strcspn(text, "\n"), text, state == NULL ? "no state" : state);
}

/* What nobody has waited for still has a name. */
static void ended(const char *file, pid_t child) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", child, file);
  int opened = open(path, O_RDONLY);
  ssize_t length = read(opened, text, sizeof text - 1);
  close(opened);
  text[length < 0 ? 0 : length] = 0;
  char *rest = strchr(text, '(');
  printf("%s: %s, %.10s\n", file, length < 0 ? "nothing" : length == 0 ? "empty" : "something", rest == NULL ? text : rest);
}

static void name(const char *to) { prctl(PR_SET_NAME, to); }

int main(void) {
  name("first");
  int own = open("/proc/self/status", O_RDONLY);
  name("second");
  show("read", read(own, text, sizeof text - 1));
  name("third");
  lseek(own, 0, SEEK_SET);
  show("begun again", read(own, text, 8));
  name("fourth");
  show("went on", read(own, text, 5));
  show("placed", pread(own, text, sizeof text - 1, 0));

  pid_t child = fork();
  if (child == 0) {
    raise(SIGSTOP);
    for (;;) pause();
  }
  waitpid(child, NULL, WUNTRACED);
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/status", child);
  int other = open(path, O_RDONLY);
  show("stopped", pread(other, text, sizeof text - 1, 0));
  kill(child, SIGCONT);
  do {
    usleep(1000);
    pread(other, text, sizeof text - 1, 0);
  } while (strstr(text, "State:\tS") == NULL);
  show("sleeps", pread(other, text, sizeof text - 1, 0));
  kill(child, SIGKILL);
  siginfo_t info;
  waitid(P_PID, child, &info, WEXITED | WNOWAIT);
  show("has ended", pread(other, text, sizeof text - 1, 0));
  ended("comm", child);
  ended("cmdline", child);
  ended("maps", child);
  ended("stat", child);
  waitpid(child, NULL, 0);
  show("gone", pread(other, text, sizeof text - 1, 0));
}
