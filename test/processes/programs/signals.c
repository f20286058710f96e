#include "common.h"
static volatile sig_atomic_t children, users;
static volatile pid_t sender;
static void on_child(int signal) {
  int status;
  while (waitpid(-1, &status, WNOHANG) > 0) children += 1 + 10 * WEXITSTATUS(status);
}
static void on_user(int signal, siginfo_t *information, void *context) {
  users++;
  sender = information->si_pid;
}
static volatile int handled;
static void counted(int signal) { handled++; }

int main(void) {
  struct sigaction action = {0};
  action.sa_handler = on_child;
  action.sa_flags = SA_RESTART;
  sigaction(SIGCHLD, &action, 0);
  for (int i = 1; i <= 3; i++)
    if (fork() == 0) _exit(i);
  while (children < 63) pause();
  say("reaped %d\n", children);
  struct sigaction user = {0};
  user.sa_sigaction = on_user;
  user.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &user, 0);
  pid_t parent = getpid();
  children = 0;
  pid_t child = fork();
  if (child == 0) {
    kill(parent, SIGUSR1);
    _exit(0);
  }
  while (users == 0 || children == 0) usleep(1000);
  say("from child %d %d\n", users, sender == child);
  /* A parent ends its child, which waits in different ways. */
  signal(SIGCHLD, SIG_DFL);
  int hold[2];
  pipe(hold);
  for (int how = 0; how < 3; how++) {
    child = fork();
    if (child == 0) {
      char byte;
      signal(SIGUSR1, SIG_DFL);
      write(hold[1], "r", 1);
      if (how == 0) pause();
      if (how == 1) sleep(1000);
      if (how == 2)
        for (;;) sched_yield();
      _exit(1);
    }
    char byte;
    read(hold[0], &byte, 1);
    kill(child, how == 1 ? SIGKILL : SIGTERM);
    say("ended %d\n", ended(child));
  }
  /* Handlers of a child end what it waits for. */
  child = fork();
  if (child == 0) {
    users = 0;
    write(hold[1], "r", 1);
    int result = usleep(10000000);
    _exit(users * 10 + (result == -1 && errno == EINTR));
  }
  char byte;
  read(hold[0], &byte, 1);
  usleep(1000);
  kill(child, SIGUSR1);
  say("interrupted %d\n", ended(child));
  /* Ignored children leave nothing behind. */
  signal(SIGCHLD, SIG_IGN);
  child = fork();
  if (child == 0) _exit(1);
  say("forgotten %d\n", failure(wait(0)) == ECHILD);
  signal(SIGCHLD, SIG_DFL);
  /* Handlers do not outlive execve, what is ignored does. */
  signal(SIGUSR2, SIG_IGN);
  child = fork();
  if (child == 0) _exit(execl("/bin/sh", "sh", "-c", "kill -USR2 $$; kill -USR1 $$; echo alive", (char *)0));
  say("after execve %d\n", ended(child) == 1000 + SIGUSR1);
  /* A mask that lets a pending signal through, and no time to wait. */
  sigset_t usr1, none;
  sigemptyset(&none);
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  signal(SIGUSR1, counted);
  sigprocmask(SIG_BLOCK, &usr1, NULL);
  raise(SIGUSR1);
  say("polled %d", failure(ppoll(NULL, 0, &(struct timespec){0}, &none)) == EINTR);
  raise(SIGUSR1);
  say(" %d", failure(pselect(0, NULL, NULL, NULL, &(struct timespec){0}, &none)) == EINTR);
  say(" handled %d\n", handled);
  /* Overruns of a timer count until its signal is taken. */
  timer_t timer;
  struct itimerspec often = {{0, 10000000}, {0, 10000000}};
  siginfo_t taken;
  timer_create(CLOCK_MONOTONIC, &(struct sigevent){.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1}, &timer);
  timer_settime(timer, 0, &often, NULL);
  usleep(105000);
  sigwaitinfo(&usr1, &taken);
  say("overrun %d", taken.si_overrun >= 8);
  say(" %d\n", timer_getoverrun(timer) == taken.si_overrun);
  timer_delete(timer);
  sigprocmask(SIG_UNBLOCK, &usr1, NULL);
  /* A group. */
  signal(SIGUSR1, SIG_IGN);
  pid_t leader = fork();
  if (leader == 0) {
    setpgid(0, 0);
    for (int i = 0; i < 2; i++)
      if (fork() == 0) {
        signal(SIGTERM, SIG_DFL);
        write(hold[1], "r", 1);
        pause();
      }
    signal(SIGTERM, SIG_IGN);
    write(hold[1], "r", 1);
    int sum = 0, status;
    while (wait(&status) > 0) sum += WTERMSIG(status);
    _exit(sum);
  }
  for (int i = 0; i < 3; i++) read(hold[0], &byte, 1);
  usleep(1000);
  kill(-leader, SIGTERM);
  say("group %d\n", ended(leader));
  return 0;
}
