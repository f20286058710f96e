#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* Signals that the program sends to itself, and calls that wait for them. */

static char alternate[65536];
static sigjmp_buf back;
static volatile int count;

static void on_plain(int signal) {
  count++;
  printf("handler %d\n", signal);
}

static void on_full(int signal, siginfo_t *info, void *context) {
  char here;
  stack_t stack;
  sigaltstack(NULL, &stack);
  printf("signal %d code %d own %d value %d alternate %d blocked before %d flags %d\n", signal, info->si_code,
         info->si_pid == getpid(), info->si_value.sival_int, &here >= alternate && &here < alternate + sizeof alternate,
         sigismember(&((ucontext_t *)context)->uc_sigmask, SIGTERM), stack.ss_flags);
}

static void on_jump(int signal) { siglongjmp(back, signal); }

static void on_change(int signal, siginfo_t *info, void *context) {
  ((ucontext_t *)context)->uc_mcontext.gregs[REG_R12] = 77;
}

static void on_outer(int signal) {
  printf("outer begins\n");
  raise(SIGUSR2);
  printf("outer ends\n");
}

static long changed_register(void) {
  register long r12 __asm__("r12") = 5;
  __asm__ volatile(
      "mov $39, %%eax\n syscall\n mov %%eax, %%edi\n mov $10, %%esi\n mov $62, %%eax\n syscall"
      : "+r"(r12)
      :
      : "rax", "rdi", "rsi", "rcx", "r11", "memory");
  return r12;
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  signal(SIGUSR1, on_plain);
  raise(SIGUSR1);
  raise(SIGUSR1);
  printf("count %d\n", count);

  struct sigaction action = {.sa_sigaction = on_full, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
  sigaltstack(&stack, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGRTMIN + 3, &action, NULL);
  kill(getpid(), SIGTERM);
  sigset_t set, pending, none;
  sigemptyset(&none);
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN + 3);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_BLOCK, &set, NULL);
  for (int i = 42; i < 44; i++) sigqueue(getpid(), SIGRTMIN + 3, (union sigval){.sival_int = i});
  raise(SIGTERM);
  raise(SIGTERM);
  sigpending(&pending);
  printf("pending %d %d\n", sigismember(&pending, SIGTERM), sigismember(&pending, SIGRTMIN + 3));
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  printf("unblocked\n");

  signal(SIGALRM, on_jump);
  for (int i = 0; i < 3; i++) {
    int result = sigsetjmp(back, 1);
    if (result == 0) raise(SIGALRM);
    printf("jumped %d\n", result);
  }
  volatile double half = 1.5;
  signal(SIGUSR1, on_outer);
  signal(SIGUSR2, on_plain);
  raise(SIGUSR1);
  printf("%f\n", half * 3);
  action.sa_sigaction = on_change;
  action.sa_flags = SA_SIGINFO | SA_RESETHAND;
  sigaction(SIGUSR1, &action, NULL);
  printf("r12 %ld\n", changed_register());
  sigaction(SIGUSR1, NULL, &action);
  printf("reset %d\n", action.sa_handler == SIG_DFL);

  signal(SIGPIPE, on_plain);
  int ends[2];
  pipe(ends);
  close(ends[0]);
  int result = write(ends[1], "x", 1);
  printf("write %d %s\n", result, strerror(errno));

  signal(SIGALRM, on_plain);
  alarm(1);
  result = pause();
  printf("pause %d %s\n", result, strerror(errno));
  alarm(1);
  struct timespec ten = {10, 0}, left;
  result = nanosleep(&ten, &left);
  printf("nanosleep %d %s %d\n", result, strerror(errno), left.tv_sec == 8 || left.tv_sec == 9);
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  sigprocmask(SIG_BLOCK, &set, NULL);
  raise(SIGALRM);
  result = sigsuspend(&none);
  printf("sigsuspend %d %s\n", result, strerror(errno));
  raise(SIGALRM);
  siginfo_t info;
  result = sigwaitinfo(&set, &info);
  printf("sigwaitinfo %d %d\n", result, info.si_code);
  struct timespec moment = {0, 1000};
  result = sigtimedwait(&set, &info, &moment);
  printf("sigtimedwait %d %s\n", result, strerror(errno));
  signal(SIGABRT, on_plain);
  abort();
}
