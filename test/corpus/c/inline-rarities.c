/* Rare forms: flags that only some instructions set, operands beside code at high addresses, faults right behind string instructions, files that are mapped after they were read. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static sigjmp_buf out;
static void leave(int signal) { siglongjmp(out, signal); }

static unsigned long after_popfw(unsigned short flags) {
  unsigned long all;
  /* Below the red zone. */
  asm volatile("lea -128(%%rsp), %%rsp\n pushw %1\n popfw\n pushfq\n pop %0\n pushw $0x202\n popfw\n lea 128(%%rsp), %%rsp"
               : "=r"(all) : "r"(flags) : "cc", "memory");
  return all;
}

static unsigned long after_iretq(unsigned long change) {
  unsigned long all;
  asm volatile("lea -128(%%rsp), %%rsp\n mov %%rsp, %%rcx\n mov %%ss, %%eax\n push %%rax\n push %%rcx\n pushfq\n xor %1, (%%rsp)\n"
               "mov %%cs, %%eax\n push %%rax\n lea 1f(%%rip), %%rax\n push %%rax\n iretq\n 1: pushfq\n pop %0\n pushfq\n xor %1, (%%rsp)\n popfq\n lea 128(%%rsp), %%rsp"
               : "=&r"(all) : "r"(change) : "rax", "rcx", "cc", "memory");
  return all;
}

static void flags(void) {
  for (unsigned bits = 0; bits < 16; bits++) {
    const unsigned short set = 0x202 | (bits & 1 ? 0x4000 : 0) | (bits & 2 ? 1 : 0) | (bits & 4 ? 0x800 : 0) | (bits & 8 ? 0x40 : 0);
    printf("%lx ", after_popfw(set) & 0x244ed5);
  }
  printf("\n%lx %lx\n", after_iretq(0x200000) & 0x200000, after_iretq(1) & 0x204001);
  /* A return from a task that nothing was nested in. */
  const int signal = sigsetjmp(out, 1);
  if (signal == 0)
    asm volatile("lea -128(%%rsp), %%rsp\n mov %%rsp, %%rcx\n mov %%ss, %%eax\n push %%rax\n push %%rcx\n pushfq\n mov %%cs, %%eax\n push %%rax\n"
                 "lea 1f(%%rip), %%rax\n push %%rax\n sub $8, %%rsp\n pushfq\n orq $0x4000, (%%rsp)\n popfq\n add $8, %%rsp\n iretq\n 1: lea 128(%%rsp), %%rsp"
                 ::: "rax", "rcx", "cc", "memory");
  printf("nested: %d\n", signal);
  asm volatile("lea -128(%%rsp), %%rsp\n pushw $0x202\n popfw\n lea 128(%%rsp), %%rsp" ::: "cc", "memory");
}

/* ldmxcsr, stmxcsr, fnstcw and fxsave of what lies behind them. */
static void far_operands(void) {
  unsigned char *code = mmap((void *)0x123456000000, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  static const unsigned char bytes[] = {
      0x0f, 0xae, 0x15, 0xf9, 0x00, 0x00, 0x00, /* ldmxcsr [rip + 249] */
      0x0f, 0xae, 0x1d, 0xf6, 0x00, 0x00, 0x00, /* stmxcsr [rip + 246] */
      0xd9, 0x3d, 0xf4, 0x00, 0x00, 0x00,       /* fnstcw [rip + 244] */
      0x0f, 0xae, 0x05, 0xe5, 0x03, 0x00, 0x00, /* fxsave [rip + 997] */
      0x0f, 0xae, 0x0d, 0xde, 0x03, 0x00, 0x00, /* fxrstor [rip + 990] */
      0xc3};
  memcpy(code, bytes, sizeof bytes);
  *(unsigned *)(code + 256) = 0x1f80;
  ((void (*)(void))code)();
  printf("far: %x %x %x\n", *(unsigned *)(code + 260), *(unsigned short *)(code + 264), *(unsigned *)(code + 1024 + 24));
}

static void behind_strings(void) {
  volatile char buffer[64], source[64];
  for (int kind = 0; kind < 4; kind++) {
    for (int i = 0; i < 64; i++) buffer[i] = source[i] = 1;
    const int signal = sigsetjmp(out, 1);
    if (signal == 0) {
      void *to = (void *)buffer;
      const void *from = (const void *)source;
      long count = 16;
      switch (kind) {
        case 0: asm volatile("rep stosb\n mov (%%rax), %%rdx" : "+D"(to), "+c"(count) : "a"(0L) : "rdx", "memory"); break;
        case 1: asm volatile("rep movsb\n mov (%%rax), %%rdx" : "+D"(to), "+S"(from), "+c"(count) : "a"(0L) : "rdx", "memory"); break;
        case 2: asm volatile("repe cmpsb\n mov (%%rax), %%rdx" : "+D"(to), "+S"(from), "+c"(count) : "a"(0L) : "rdx", "memory", "cc"); break;
        default: asm volatile("repne scasb\n mov (%%rax), %%rdx" : "+D"(to), "+c"(count) : "a"(0L) : "rdx", "memory", "cc"); break;
      }
    }
    int sum = 0;
    for (int i = 0; i < 64; i++) sum += buffer[i];
    printf("behind %d: %d %d\n", kind, signal, sum);
  }
}

static void mapped_later(void) {
  const int file = memfd_create("pages", 0);
  if (ftruncate(file, 3 * 4096) != 0) return;
  volatile int *one = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  int sum = one[0] + one[1024];
  volatile int *other = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  other[0] = 42;
  other[1024] = 43;
  printf("%d %d %d\n", sum, one[0], one[1024]);
  munmap((void *)one, 3 * 4096);
  const int signal = sigsetjmp(out, 1);
  if (signal == 0) sum += one[0];
  printf("unmapped: %d %d\n", signal, sum);
}

int main(void) {
  signal(SIGSEGV, leave);
  far_operands();
  behind_strings();
  mapped_later();
  /* Last: who executes this step by step finds the trap flag set by what it restores. */
  flags();
  return 0;
}
