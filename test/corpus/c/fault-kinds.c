/* What a handler is told of faults: whether the instruction would have written, also where it reads the place first. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

static sigjmp_buf out;
static long error;

static void handler(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info;
  error = ((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR];
  siglongjmp(out, 1);
}

#define TRY(name, ...)                                        \
  do {                                                        \
    error = -1;                                               \
    if (!sigsetjmp(out, 1)) __asm__ volatile(__VA_ARGS__);     \
    printf("%s: %s\n", name, error < 0 ? "none" : error & 2 ? "write" : "read"); \
  } while (0)

int main(void) {
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigaction(SIGSEGV, &action, NULL);
  for (int kind = 0; kind < 3; kind++) {
    int protection = kind == 1 ? PROT_READ : PROT_NONE;
    long *p = mmap(NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (kind == 2) munmap(p, 4096);
    TRY("mov to", "mov %%rax, %0" : "+m"(*p));
    TRY("mov from", "mov %0, %%rax" : "+m"(*p)::"rax");
    TRY("add to", "addl $1, %0" : "+m"(*p)::"cc");
    TRY("add from", "add %0, %%rax" : "+m"(*p)::"rax", "cc");
    TRY("lock add", "lock addl $1, %0" : "+m"(*p)::"cc");
    TRY("inc", "incl %0" : "+m"(*p)::"cc");
    TRY("not", "notl %0" : "+m"(*p));
    TRY("shl", "shll $3, %0" : "+m"(*p)::"cc");
    TRY("bts", "btsl $1, %0" : "+m"(*p)::"cc");
    TRY("bt", "btl $1, %0" : "+m"(*p)::"cc");
    TRY("cmp", "cmpl $1, %0" : "+m"(*p)::"cc");
    TRY("xchg", "xchgl %%eax, %0" : "+m"(*p)::"rax");
    TRY("xadd", "lock xaddl %%eax, %0" : "+m"(*p)::"rax", "cc");
    TRY("cmpxchg", "lock cmpxchgl %%ecx, %0" : "+m"(*p)::"rax", "cc");
    TRY("setc", "setc %0" : "+m"(*p));
    TRY("push from", "mov %%rsp, %%rcx\n\tpush %0\n\tmov %%rcx, %%rsp" : "+m"(*p)::"rcx");
  }
}
