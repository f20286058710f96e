/* corpus: uncounted */
/* Instructions that store to two pages of which one may not be written: what handlers are told, and that nothing is stored. */
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
}
