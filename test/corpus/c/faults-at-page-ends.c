/* corpus: uncounted */
/* Instructions that store to two pages of which one may not be written, or ask whether they could: what handlers are told, and that nothing is stored. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

static sigjmp_buf out;
static unsigned char *pages;

/* Of three pages the middle one cannot be accessed. */
static unsigned char *const before_end = (unsigned char *)0x14000ff0, *const behind = (unsigned char *)0x14002000;

static void handler(int signal, siginfo_t *info, void *context) {
  const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  printf("%d %d at %lx, %s", signal, info->si_code, (long)info->si_addr, registers[REG_ERR] & 2 ? "write" : "read");
  siglongjmp(out, 1);
}

static void show(void) {
  for (int i = 0; i < 16; i++) printf("%s%02x", i ? "" : ": ", before_end[i]);
  for (int i = 0; i < 16; i++) printf("%s%02x", i ? "" : " ", behind[i]);
  putchar('\n');
}

#define FAULT(name, at, ...)               \
  do {                                     \
    printf("%s %lx: ", name, (long)(at));  \
    if (!sigsetjmp(out, 1)) {              \
      __asm__ volatile(__VA_ARGS__);       \
      printf("none");                      \
    }                                      \
  } while (0)

#define TRY(name, at, ...)                               \
  do {                                                   \
    memset(before_end, 0x11, 16), memset(behind, 0x11, 64); \
    FAULT(name, at, __VA_ARGS__);                        \
    show();                                              \
  } while (0)

static void masked(void) {
  static const unsigned char value[16] __attribute__((aligned(16))) = "0123456789abcdef";
  for (int by = 0; by < 24; by += 3) {
    unsigned char *to = by < 16 ? before_end + by : behind - 16 + (by - 16);
    TRY("maskmovdqu", to, "movdqa %0, %%xmm0\n pcmpeqd %%xmm1, %%xmm1\n maskmovdqu %%xmm1, %%xmm0" ::"m"(*value), "D"(to) : "xmm0", "xmm1", "memory");
    TRY("maskmovq", to + 4, "movq %0, %%mm0\n pcmpeqd %%mm1, %%mm1\n maskmovq %%mm1, %%mm0" ::"m"(*value), "D"(to + 4) : "memory");
    __asm__ volatile("emms");
  }
}

static void ten_bytes(void) {
  for (int by = 4; by < 24; by += 2) {
    unsigned char *to = by < 16 ? before_end + by : behind - 8 + (by - 16);
    TRY("fstpt", to, "fninit\n fldpi\n fstpt (%0)" ::"r"(to) : "memory");
  }
  __asm__ volatile("fninit");
}

/* It is asked whether something could be stored at the last stack pointer. */
#define ENTER(name, code)                                                                                             \
  for (int by = 0; by < 40; by += 4) {                                                                                \
    FAULT(name, behind + by,                                                                                          \
          "mov %%rsp, %%r12\n mov %%rbp, %%r13\n mov %0, %%rsp\n mov $0x14002800, %%ebp\n " code                      \
          "\n mov %%r12, %%rsp\n mov %%r13, %%rbp" ::"r"(behind + by) : "r12", "r13", "memory");                      \
    putchar('\n');                                                                                                    \
  }

static void enter(void) {
  ENTER("enter 0, 0", ".byte 0xc8, 0, 0, 0");
  ENTER("enter 4, 0", ".byte 0xc8, 4, 0, 0");
  ENTER("enter 16, 0", ".byte 0xc8, 16, 0, 0");
  ENTER("enter 4096, 0", ".byte 0xc8, 0, 16, 0");
  ENTER("enter 8192, 0", ".byte 0xc8, 0, 32, 0");
  ENTER("enter 16, 1", ".byte 0xc8, 16, 0, 1");
  ENTER("enter 16, 3", ".byte 0xc8, 16, 0, 3");
  ENTER("enter 4096, 2", ".byte 0xc8, 0, 16, 2");
  ENTER("enterw 16, 0", ".byte 0x66, 0xc8, 16, 0, 0");
  ENTER("enterw 1, 0", ".byte 0x66, 0xc8, 1, 0, 0");
  ENTER("enterw 4096, 2", ".byte 0x66, 0xc8, 0, 16, 2");
}

/* Often enough to be translated. */
static long deep(int depth) {
  long sum = 0;
  for (int i = 0; i < 20000; i++) {
    long frame;
    __asm__ volatile("lea -128(%%rsp), %%rsp\n enter $96, $0\n mov %%rsp, %0\n leave\n lea 128(%%rsp), %%rsp" : "=r"(frame)::"memory");
    sum += frame & 15;
  }
  return depth == 0 ? sum : sum + deep(depth - 1);
}

/* Instructions that fault themselves at the end of what can be executed, and one that ends behind it. */
static void last(void) {
  unsigned char *code = mmap((void *)0x14010000, 0x1000, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  static const struct { const char *name; int length; unsigned char bytes[4]; } cases[] = {
      {"hlt", 1, {0xf4}}, {"movaps", 3, {0x0f, 0x28, 0x07}}, {"half of movaps", 2, {0x0f, 0x28}}, {"in", 1, {0xec}}};
  for (int i = 0; i < 4; i++) {
    unsigned char *at = code + 0x1000 - cases[i].length;
    memcpy(at, cases[i].bytes, cases[i].length);
    FAULT(cases[i].name, at, "call *%0" ::"r"(at), "D"(pages + 8) : "rax", "rcx", "rdx", "xmm0", "memory");
    putchar('\n');
  }
}

int main(void) {
  pages = mmap((void *)0x14000000, 0x4000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  memset(pages, 0x22, 0x4000);
  mprotect(pages + 0x1000, 0x1000, PROT_NONE);
  stack_t stack = {.ss_sp = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), .ss_size = 1 << 16};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
  sigaction(SIGSEGV, &action, NULL);
  masked();
  ten_bytes();
  for (int kind = 0; kind < 2; kind++) {
    if (kind == 1) mprotect(pages + 0x1000, 0x1000, PROT_READ);
    enter();
  }
  last();
  printf("%d\n", deep(40) > 0);
}
