/* corpus: not:Ofast uncounted */
/* Handlers of SIGSEGV, SIGFPE, SIGILL and SIGTRAP, which whoever counts by single steps takes away, that jump away or mend the cause. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

static sigjmp_buf back;
static volatile int last, code;
static char *guarded;
static void jump(int s, siginfo_t *info, void *context) { last = s, code = info->si_code; siglongjmp(back, 1); }
static void mend(int s, siginfo_t *info, void *context) {
  last = s;
  mprotect((void *)((uintptr_t)info->si_addr & ~4095ul), 4096, PROT_READ | PROT_WRITE);
}
static void skip(int s, siginfo_t *info, void *context) { last = s; ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2; }
static void handle(int s, void (*f)(int, siginfo_t *, void *)) {
  struct sigaction action = {.sa_sigaction = f, .sa_flags = SA_SIGINFO};
  sigaction(s, &action, NULL);
}

int main(void) {
  handle(SIGSEGV, jump), handle(SIGFPE, jump), handle(SIGTRAP, jump);
  volatile int zero = 0;
  int *volatile null = NULL;
  if (!sigsetjmp(back, 1)) *null = 1;
  printf("%d %d\n", last, code);
  if (!sigsetjmp(back, 1)) printf("%d\n", 5 / zero);
  printf("%d %d\n", last, code);
  const char *text = "read only";
  if (!sigsetjmp(back, 1)) *(volatile char *)text = 'X';
  printf("%d %d\n", last, code);
  if (!sigsetjmp(back, 1)) __asm__ volatile("int3");
  printf("%d\n", last);
  handle(SIGILL, skip);
  __asm__ volatile("ud2");
  printf("%d\n", last);
  guarded = mmap(NULL, 16 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  handle(SIGSEGV, mend);
  long sum = 0;
  for (int i = 0; i < 16 * 4096; i += 1000) guarded[i] = (char)i, sum += guarded[i];
  printf("%d %ld\n", last, sum);
}
