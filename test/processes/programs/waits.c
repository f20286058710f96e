#include "common.h"
static pid_t exits(int status) {
  pid_t child = fork();
  if (child == 0) _exit(status);
  return child;
}
int main(void) {
  int status;
  say("none %d\n", failure(wait(&status)) == ECHILD);
  say("statuses %d %d %d\n", ended(exits(0)), ended(exits(3)), ended(exits(259)));
  pid_t child = fork();
  if (child == 0) {
    raise(SIGTERM);
    _exit(1);
  }
  say("signal %d\n", ended(child));
  child = fork();
  if (child == 0) *(volatile int *)8 = 1;
  waitpid(child, &status, 0);
  say("fault %d %d\n", WIFSIGNALED(status), WTERMSIG(status));
  child = fork();
  if (child == 0) {
    signal(SIGABRT, SIG_IGN);
    abort();
  }
  say("abort %d\n", ended(child));
  child = exits(9);
  siginfo_t information = {0};
  say("waitid %d", waitid(P_PID, child, &information, WEXITED | WNOWAIT));
  say(" %d %d %d %d", information.si_signo == SIGCHLD, information.si_code == CLD_EXITED, information.si_status,
      information.si_pid == child);
  struct rusage usage;
  say(" again %d %d\n", wait4(child, &status, 0, &usage) == child, WEXITSTATUS(status));
  int hold[2];
  pipe(hold);
  child = fork();
  if (child == 0) {
    char byte;
    close(hold[1]);
    _exit(read(hold[0], &byte, 1));
  }
  close(hold[0]);
  say("running %d %d\n", waitpid(child, &status, WNOHANG), waitpid(-1, &status, WNOHANG | WUNTRACED));
  memset(&information, 1, sizeof information);
  int waited = waitid(P_ALL, 0, &information, WEXITED | WNOHANG);
  say("waitid running %d %d\n", waited, information.si_pid);
  close(hold[1]);
  say("released %d\n", ended(child));
  pid_t first = exits(1), second = exits(2);
  say("by number %d %d %d\n", ended(second), ended(first), ended(first) == -ECHILD);
  child = exits(4);
  while (waitpid(child, &status, WNOHANG) == 0) {
  }
  say("asked until it ended %d\n", WEXITSTATUS(status));
  child = exits(5);
  while (waitpid(child, &status, WNOHANG) == 0) sched_yield();
  say("yielded until it ended %d\n", WEXITSTATUS(status));
  say("wrong option %d\n", waitpid(-1, &status, 0x100) == -1 && errno == EINVAL);
  return 0;
}
