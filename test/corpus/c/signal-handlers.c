/* Handlers by raise and kill, masks, pending signals, SA_SIGINFO, SA_RESETHAND, order of delivery. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t order, seen[40], value;
static void simple(int s) { seen[s] = ++order; }
static void informed(int s, siginfo_t *info, void *context) {
  seen[s] = ++order;
  value = info->si_code == SI_QUEUE ? info->si_value.sival_int : info->si_pid == getpid();
}
static void nested(int s) { seen[s] = ++order; if (s == SIGUSR1) raise(SIGUSR2); seen[0] = ++order; }

int main(void) {
  signal(SIGUSR1, simple);
  raise(SIGUSR1);
  kill(getpid(), SIGUSR1);
  printf("%d %d\n", order, seen[SIGUSR1]);
  struct sigaction action = {.sa_sigaction = informed, .sa_flags = SA_SIGINFO};
  sigaction(SIGTERM, &action, NULL);
  kill(getpid(), SIGTERM);
  printf("%d %d\n", seen[SIGTERM], value);
  sigqueue(getpid(), SIGTERM, (union sigval){.sival_int = 4711});
  printf("%d\n", value);
  sigset_t set, old, pending;
  sigemptyset(&set), sigaddset(&set, SIGUSR1), sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, &old);
  signal(SIGUSR2, simple);
  raise(SIGUSR2), raise(SIGUSR1), raise(SIGUSR1);
  sigpending(&pending);
  printf("%d %d %d %d\n", order, sigismember(&pending, SIGUSR1), sigismember(&pending, SIGUSR2), sigismember(&pending, SIGTERM));
  sigprocmask(SIG_SETMASK, &old, NULL);
  printf("%d %d %d\n", order, seen[SIGUSR1], seen[SIGUSR2]);
  signal(SIGUSR1, nested), signal(SIGUSR2, nested);
  raise(SIGUSR1);
  printf("%d %d %d\n", seen[SIGUSR1], seen[SIGUSR2], seen[0]);
  action = (struct sigaction){.sa_handler = simple, .sa_flags = SA_RESETHAND};
  sigaction(SIGINT, &action, NULL);
  raise(SIGINT);
  sigaction(SIGINT, NULL, &action);
  printf("%d %d\n", seen[SIGINT], action.sa_handler == SIG_DFL);
  signal(SIGINT, SIG_IGN);
  raise(SIGINT);
  puts(strsignal(SIGSEGV));
}
