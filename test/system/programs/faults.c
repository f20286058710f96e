#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

/* What a handler is told of each kind of fault, and what it may do about it. */

enum { PAGE = 4096 };
static sigjmp_buf back;
static char alternate[1 << 16];
static char *area;
static volatile long sink, zero, most_negative = 1L << 63, minus_one = -1;
static int mended;

static void tell(int signal, siginfo_t *info, void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  char *address = info->si_addr;
  printf("signal %d code %d error %llx trap %lld ", signal, info->si_code, registers[REG_ERR], registers[REG_TRAPNO]);
  if (address >= area && address < area + 4 * PAGE) printf("at area+%lx\n", (long)(address - area));
  else if ((long)address == registers[REG_RIP]) printf("at the instruction\n");
  else if (address - (char *)registers[REG_RSP] < PAGE && (char *)registers[REG_RSP] - address < PAGE) printf("on the stack\n");
  else printf("at %p\n", address);
  siglongjmp(back, 1);
}

static void mend(int signal, siginfo_t *info, void *context) {
  mended++;
  mprotect((void *)((long)info->si_addr & -PAGE), PAGE, PROT_READ | PROT_WRITE);
}

static int deep(int n) {
  volatile char frame[1000];
  frame[0] = n;
  return n == 100000000 ? 0 : deep(n + 1) + frame[0];
}

#define TRY(action)                        \
  do {                                     \
    if (sigsetjmp(back, 1) == 0) {         \
      action;                              \
      printf("no fault: %s\n", #action);   \
    }                                      \
  } while (0)

static void handle(void (*handler)(int, siginfo_t *, void *)) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  for (int i = 0; i < 5; i++) sigaction(signals[i], &action, NULL);
}

static void load(long address) { sink = *(volatile int *)address; }
static void store(long address) { *(volatile int *)address = 1; }
static void call(long address) { ((void (*)(void))address)(); }

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
  sigaltstack(&stack, NULL);
  handle(tell);
  static const long wild[] = {0, 0x123456789abc, 0x8000123456789abc, 0xffffffffff600000, -1};
  for (int i = 0; i < 5; i++) {
    TRY(load(wild[i]));
    TRY(store(wild[i]));
  }
  TRY(sink = 5 / zero);
  TRY(sink = most_negative / minus_one);
  TRY(__builtin_trap());
  TRY(__asm__ volatile("hlt"));
  TRY(__asm__ volatile("int3"));
  TRY(__asm__ volatile("int $3"));
  TRY(__asm__ volatile(".byte 0xf1")); /* int1 */
  TRY(__asm__ volatile("int $4"));

  area = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(area + 2 * PAGE, PAGE, PROT_NONE);
  mprotect(area + 3 * PAGE, PAGE, PROT_READ);
  TRY(store((long)area + 2 * PAGE - 2));
  TRY(load((long)area + 2 * PAGE - 2));
  TRY(store((long)area + 3 * PAGE + 2));
  TRY(memset(area + zero, 1, 4 * PAGE));
  static const long code[] = {0, 0x7fffdeadbeef, 0x9000deadbeef0000};
  for (int i = 0; i < 3; i++) TRY(call(code[i]));
  TRY(call((long)area));
  TRY(deep(0));

  handle(mend);
  for (int round = 0; round < 20; round++) {
    mprotect(area, 4 * PAGE, PROT_READ);
    for (int i = 0; i < 4 * PAGE; i += 8) area[i] += i;
  }
  long sum = 0;
  for (int i = 0; i < 4 * PAGE; i++) sum += area[i];
  printf("mended %d sum %ld\n", mended, sum);

  handle(tell);
  volatile int total = 0;
  for (volatile int i = 0; i < 3000; i++)
    if (sigsetjmp(back, 0) == 0) {
      load(i % 1000 == 999 ? 0 : (long)area);
      total += sink;
    }
  printf("total %d\n", total);
  signal(SIGSEGV, SIG_IGN);
  load(0);
}
