#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

/* Handlers in every way a program can ask for them. */

static volatile int seen[65];
static double sum;
static char alternate[32768];
static sigjmp_buf back;

static int work(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s = s * 31 + i;
  sum += n / 3.0;
  return s;
}

static void on_signal(int signal, siginfo_t *info, void *context) {
  (void)context;
  seen[signal] += work(signal) & 3;
  seen[0] += info->si_value.sival_int;
}

static void on_jump(int signal) {
  work(signal);
  siglongjmp(back, signal);
}

static void on_nested(int signal) {
  if (seen[signal]++ < 4) raise(signal);
  work(seen[signal]);
}

int main(void) {
  stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
  struct sigaction action = {.sa_sigaction = on_signal};
  double floating = 1.25;
  sigaltstack(&stack, NULL);
  for (int i = 0; i < TIMES; i++) {
    action.sa_flags = SA_SIGINFO | (i & 1 ? SA_ONSTACK : 0);
    sigset_t set, old;
    sigfillset(&set);
    sigprocmask(SIG_BLOCK, &set, &old);
    for (int signal = SIGRTMIN; signal < SIGRTMIN + 4; signal++) {
      sigaction(signal, &action, NULL);
      for (int j = 0; j < 2; j++) sigqueue(getpid(), signal, (union sigval){.sival_int = i + j});
    }
    sigprocmask(SIG_SETMASK, &old, NULL);
    floating *= sum;
  }
  signal(SIGUSR1, on_jump);
  for (int i = 0; i < TIMES; i++)
    if (sigsetjmp(back, 1) == 0) raise(SIGUSR1);
  action.sa_flags = SA_NODEFER | SA_ONSTACK;
  action.sa_handler = on_nested;
  sigaction(SIGUSR2, &action, NULL);
  raise(SIGUSR2);
  printf("%d %d %d %.3f %.3f done\n", seen[0], seen[SIGRTMIN], seen[SIGUSR2], sum, floating);
  return 0;
}
