#include "common.h"
/* Parents, groups, sessions, orphans. */
static void until_parent_is(pid_t parent) {
  while (getppid() == parent) usleep(1000);
}
int main(void) {
  pid_t self = getpid();
  int report[2];
  pipe(report);
  pid_t child = fork();
  if (child == 0) _exit((getppid() == self) + 2 * (getpid() != self) + 4 * (getpgrp() == getpgid(getppid())));
  say("family %d\n", ended(child));
  child = fork();
  if (child == 0) {
    say("own group %d", setpgid(0, 0));
    say(" %d %d\n", getpgrp() == getpid(), getsid(0) == getsid(self));
    say("leader's session %d\n", failure(setsid()) == EPERM);
    _exit(0);
  }
  ended(child);
  child = fork();
  if (child == 0) {
    pid_t session = setsid();
    say("session %d %d %d\n", session == getpid(), getpgrp() == getpid(), getsid(0) == getpid());
    _exit(0);
  }
  ended(child);
  int hold[2];
  pipe(hold);
  child = fork();
  if (child == 0) {
    char byte;
    close(hold[1]);
    _exit(read(hold[0], &byte, 1) + (getpgrp() == getpid()));
  }
  int moved = setpgid(child, child);
  say("moved %d %d %d\n", moved, getpgid(child) == child, getpgid(child) != getpgrp());
  close(hold[1]);
  int status;
  pid_t found = waitpid(-child, &status, 0);
  say("by group %d %d\n", found == child, WEXITSTATUS(status));
  /* A daemon: its grandparent is not its parent, and does not wait for it. */
  child = fork();
  if (child == 0) {
    setsid();
    pid_t middle = getpid();
    if (fork() != 0) _exit(0);
    close(report[0]);
    until_parent_is(middle);
    char text[64];
    int length = sprintf(text, "orphan %d %d", getppid() != middle, getsid(0) == middle);
    write(report[1], text, length);
    _exit(3);
  }
  close(report[1]);
  say("middle %d\n", ended(child));
  char text[64];
  ssize_t length = read(report[0], text, sizeof text);
  say("%.*s\n", (int)length, text);
  say("no more %d\n", failure(wait(&status)) == ECHILD);
  say("nobody %d %d\n", failure(kill(99999999, 0)) == ESRCH, kill(self, 0));
  return 0;
}
