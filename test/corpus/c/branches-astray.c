/* corpus: uncounted */
/* Branches to addresses that are not canonical, which fault themselves, and to others where nothing is, which are left for the handler to find. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

static sigjmp_buf out;
unsigned long site, stack_pointer;

static void handler(int signal, siginfo_t *info, void *context) {
  const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  const unsigned long rip = (unsigned long)registers[REG_RIP];
  printf("%d %d at %lx, trap %lld error %llx, ", signal, info->si_code, (long)info->si_addr, registers[REG_TRAPNO], registers[REG_ERR]);
  if (rip - site < 64) printf("rip site + %ld", (long)(rip - site));
  else printf("rip %lx", rip);
  printf(", rsp %+ld\n", (long)((unsigned long)registers[REG_RSP] - stack_pointer));
  siglongjmp(out, 1);
}

/* rax is the target, rcx points to it; there is room on the stack. */
#define TRY(name, code)                                                                                     \
  do {                                                                                                      \
    printf("%s %lx: ", name, target);                                                                       \
    if (!sigsetjmp(out, 1))                                                                                 \
      __asm__ volatile("lea -512(%%rsp), %%rsp\n mov %%rsp, %2\n lea 1f(%%rip), %%rdx\n mov %%rdx, %3\n 1: " code \
                       ::"a"(target), "c"(&target), "m"(stack_pointer), "m"(site) : "rdx", "memory");       \
  } while (0)

static void branch(unsigned long target) {
  TRY("jmp", "jmp *%%rax");
  TRY("jmp from memory", "jmp *(%%rcx)");
  TRY("call", "call *%%rax");
  TRY("call from memory", "call *(%%rcx)");
  TRY("ret", "mov %%rax, (%%rsp)\n ret");
  TRY("ret 16", "mov %%rax, (%%rsp)\n ret $16");
  TRY("push and ret", "push %%rax\n ret");
  TRY("far ret", "movl %%cs, %%edx\n push %%rdx\n push %%rax\n .byte 0x48, 0xcb");
}

static void leave(int signal) { siglongjmp(out, signal); }
static long plus_one(long x) { return x + 1; }

int main(void) {
  static const unsigned long targets[] = {
      0x8000000000000000, 0x800000000000, 0xffff7fffffffffff, 0x1234567890abcdef, /* Not canonical. */
      0xffff800000000123, 0xfffffffffffff001, 0x12345678, 0};
  stack_t stack = {.ss_sp = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), .ss_size = 1 << 16};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
  sigaction(SIGSEGV, &action, NULL);
  for (unsigned i = 0; i < sizeof targets / sizeof *targets; i++) branch(targets[i]);
  /* One call, which is translated, goes astray now and then. */
  action.sa_sigaction = NULL, action.sa_handler = leave, action.sa_flags = SA_NODEFER;
  sigaction(SIGSEGV, &action, NULL);
  volatile long sum = 0, astray = 0;
  for (volatile int i = 0; i < 60000; i++) {
    long (*volatile function)(long) = i % 20000 == 19999 ? (long (*)(long))0x1234567890abcdef : plus_one;
    if (i % 100 != 99 || !sigsetjmp(out, 1)) sum = function(sum);
    else astray++;
  }
  printf("%ld %ld\n", sum, astray);
}
