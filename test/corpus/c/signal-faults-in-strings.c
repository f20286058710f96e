/* Repeated string instructions that fault on their way: what handlers see, what was done before, and what goes on. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

/* Registers that the instruction does not use hold anything. */
static long near(long offset) { return offset < -4096 || offset > 20000 ? -1 : offset; }

static sigjmp_buf out;
static char *area;
static long rdi, rsi, rcx, address;
static int faults, mends;

static void handler(int signal, siginfo_t *info, void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  rdi = registers[REG_RDI] - (long)area;
  rsi = registers[REG_RSI] - (long)area;
  rcx = registers[REG_RCX];
  address = (char *)info->si_addr - area;
  faults++;
  if (!mends) siglongjmp(out, 1);
  mprotect(area + 4096, 4096, PROT_READ | PROT_WRITE);
}

static void run(int kind, char *to, char *from, long count) {
  switch (kind) {
    case 0: asm volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(5) : "memory"); break;
    case 1: asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory"); break;
    case 2: asm volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(count) : : "memory"); break;
    case 3: asm volatile("rep stosl" : "+D"(to), "+c"(count) : "a"(0x01020304) : "memory"); break;
    case 4: asm volatile("std; rep stosw; cld" : "+D"(to), "+c"(count) : "a"(0x0910) : "memory"); break;
    case 5: asm volatile("repne scasb" : "+D"(to), "+c"(count) : "a"(77) : "memory", "cc"); break;
    case 6: asm volatile("repe cmpsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory", "cc"); break;
    case 7: asm volatile("std; rep movsl; cld" : "+D"(to), "+S"(from), "+c"(count) : : "memory"); break;
    case 8: asm volatile("rep lodsw" : "+S"(from), "+c"(count) : : "rax"); break;
  }
}

static unsigned sum(const char *bytes) {
  unsigned sum = 0;
  for (int i = 0; i < 4096; i++) sum = sum * 31 + (unsigned char)bytes[i];
  return sum;
}

int main(void) {
  struct sigaction action = {.sa_flags = SA_SIGINFO, .sa_sigaction = handler};
  sigaction(SIGSEGV, &action, NULL);
  area = mmap(NULL, 12288, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (mends = 0; mends < 2; mends++)
    for (int kind = 0; kind < 9; kind++)
      for (int shift = 0; shift < 3; shift++) {
        mprotect(area + 4096, 4096, PROT_READ | PROT_WRITE);
        for (int i = 0; i < 12288; i++) area[i] = i < 8192 ? 1 : i * 7 + 3;
        mprotect(area + 4096, 4096, PROT_NONE);
        const int down = kind == 4 || kind == 7;
        char *to = area + (down ? 8200 + 8 * shift : 4000 + shift);
        char *from = area + (kind == 6 ? 100 : kind == 8 ? 4001 + shift : 10000 + shift);
        rdi = rsi = rcx = address = -1;
        if (sigsetjmp(out, 1) == 0) run(kind, to, from, kind == 7 ? 20 : 30 + 70 * (kind != 2));
        asm volatile("cld");
        printf("%d.%d: di %ld, si %ld, cx %ld, at %ld, %x %x\n", kind, shift, near(rdi), near(rsi), rcx, address, sum(area),
               sum(area + 8192));
      }
  printf("%d faults\n", faults);
}
