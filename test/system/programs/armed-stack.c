#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

/* An alternate stack that is let go of while a handler runs on it (SS_AUTODISARM). */

#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1u << 31)
#endif
#define SIZE 65536

static char *area, *second;
static int depth;

static void on_signal(int number, siginfo_t *info, void *context) {
  char here;
  stack_t now;
  sigaltstack(NULL, &now);
  printf("depth %d: first %d, second %d, flags %x, size %zu, before %x\n", depth, &here >= area && &here < area + SIZE,
         &here >= second && &here < second + SIZE, now.ss_flags, now.ss_size, ((ucontext_t *)context)->uc_stack.ss_flags);
  if (depth++ > 0) return;
  raise(SIGUSR1);
  stack_t other = {second, SS_AUTODISARM, SIZE};
  printf("another %d\n", sigaltstack(&other, NULL));
  raise(SIGUSR1);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  area = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  second = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack_t stack = {area, SS_AUTODISARM, SIZE};
  sigaltstack(&stack, NULL);
  sigaction(SIGUSR1, &(struct sigaction){.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER}, NULL);
  raise(SIGUSR1);
  sigaltstack(NULL, &stack);
  printf("after %x %d\n", stack.ss_flags, stack.ss_sp == area);
  depth = 0;
  raise(SIGUSR1);
}
