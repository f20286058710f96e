/* corpus: not:Ofast */
/* Stack overflow handled on an alternate stack; sigaltstack's state. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static sigjmp_buf back;
static char *low;
static volatile int on_alternate;
static void overflow(int s, siginfo_t *info, void *context) {
  char here;
  stack_t now;
  sigaltstack(NULL, &now);
  on_alternate = &here > low && &here < low + 65536 && now.ss_flags == SS_ONSTACK;
  siglongjmp(back, 1);
}
__attribute__((noinline)) static int deep(volatile int *p) { volatile int frame[1000]; frame[0] = *p + 1; return deep(frame) + frame[0]; }

int main(void) {
  low = malloc(65536);
  stack_t stack = {.ss_sp = low, .ss_size = 65536}, old;
  printf("%d\n", sigaltstack(&stack, &old));
  printf("%d\n", old.ss_flags == SS_DISABLE);
  struct sigaction action = {.sa_sigaction = overflow, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaction(SIGSEGV, &action, NULL);
  for (int i = 0; i < 3; i++) {
    volatile int start = 0;
    if (sigsetjmp(back, 1) == 0) deep(&start);
    printf("%d\n", on_alternate);
  }
}
