/* corpus: only:v3 uncounted */
/* Masked stores and gathers of AVX2 that meet a page which cannot be accessed: which address handlers are told, what has been stored, what has been loaded. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

static sigjmp_buf out;
/* Of three pages the middle one cannot be accessed. */
static unsigned char *const pages = (unsigned char *)0x14000000;

/* 256 bits of a register: the upper half lies in what xsave adds (SDM volume 1, 13.5.3), where it is not 0. */
static void show(const unsigned char *state, int number) {
  uint64_t components;
  memcpy(&components, state + 512, 8);
  printf(" ymm%d", number);
  for (int i = 0; i < 8; i++) {
    uint32_t lane = 0;
    if (i < 4) memcpy(&lane, state + 160 + 16 * number + 4 * i, 4);
    else if (components & 4) memcpy(&lane, state + 576 + 16 * number + 4 * (i - 4), 4);
    printf(" %08x", lane);
  }
}

static void handler(int signal, siginfo_t *info, void *context) {
  const ucontext_t *before = context;
  printf("%d %d at %lx, %s", signal, info->si_code, (long)info->si_addr, before->uc_mcontext.gregs[REG_ERR] & 2 ? "write" : "read");
  show((const unsigned char *)before->uc_mcontext.fpregs, 5), show((const unsigned char *)before->uc_mcontext.fpregs, 6);
  siglongjmp(out, 1);
}

static const uint32_t masks[][8] __attribute__((aligned(32))) = {
    {-1, -1, -1, -1, -1, -1, -1, -1},
    {0x80000001, 0x80000002, 0x80000003, 0x80000004, 0x80000005, 0x80000006, 0x80000007, 0x80000008},
    {0x80000001, 1, 0x80000003, 2, 0x80000005, 3, 0x80000007, 4},
    {1, 0x80000002, 3, 0x80000004, 5, 0x80000006, 7, 0x80000008},
    {1, 2, 3, 4, 5, 6, 7, 8}};
static const uint32_t old[8] = {0x11111111, 0x22222222, 0x33333333, 0x44444444, 0x55555555, 0x66666666, 0x77777777, 0x88888888};
enum { MASKS = sizeof masks / sizeof *masks };

#define STORE(instruction, mask, value, to)                                                                          \
  do {                                                                                                               \
    memset(pages + 0xfe0, 0, 32), memset(pages + 0x2000, 0, 32);                                                     \
    printf("%s %d %lx: ", instruction, k, (long)(to));                                                               \
    if (!sigsetjmp(out, 1)) {                                                                                        \
      __asm__ volatile("vmovdqu %0, %%ymm5\n vmovdqu %1, %%ymm6\n" instruction " " value ", " mask ", (%2)" ::"m"(old), "m"(masks[k]), "r"(to) \
                       : "xmm5", "xmm6", "memory");                                                                  \
      printf("none");                                                                                                \
    }                                                                                                                \
    putchar(' ');                                                                                                    \
    for (int i = 0; i < 32; i++) printf("%02x", pages[0xfe0 + i]);                                                   \
    putchar(' ');                                                                                                    \
    for (int i = 0; i < 32; i++) printf("%02x", pages[0x2000 + i]);                                                  \
    putchar('\n');                                                                                                   \
  } while (0)

static void stores(int k) {
  for (int by = 0; by < 14; by++) {
    /* Aligned lanes and others, across the end of the first page and of the second one. */
    unsigned char *to = (by & 1 ? pages + 0x2000 - 32 : pages + 0x1000 - 32) + 5 * (by >> 1);
    STORE("vmaskmovps", "%%ymm6", "%%ymm5", to);
    STORE("vmaskmovps", "%%xmm6", "%%xmm5", to);
    STORE("vmaskmovpd", "%%ymm6", "%%ymm5", to);
    STORE("vpmaskmovd", "%%ymm6", "%%ymm5", to - 1);
    STORE("vpmaskmovq", "%%ymm6", "%%ymm5", to - 1);
    STORE("vpmaskmovq", "%%xmm6", "%%xmm5", to - 1);
  }
}

static const int32_t indices[][8] __attribute__((aligned(32))) = {
    {0, 1, 2, 3, 4, 5, 6, 7}, {7, 6, 5, 4, 3, 2, 1, 0}, {0, 100, 1, 2, 3, 4, 5, 6}, {-3, 0, -1000, 2, 2000, 1, 100, 3}, {0, 1, 2, 3, 1000, 5, 1001, 7}};

#define GATHER(name, load, instruction)                                                                            \
  do {                                                                                                             \
    printf("%s %d %d: ", name, i, k);                                                                              \
    if (!sigsetjmp(out, 1)) {                                                                                      \
      __asm__ volatile(load " %0, %%ymm4\n vmovdqu %3, %%ymm5\n vmovdqu %1, %%ymm6\n" instruction                  \
                       ::"m"(indices[i]), "m"(masks[k]), "r"(pages + 0xff0), "m"(old) : "xmm4", "xmm5", "xmm6");   \
      printf("none");                                                                                              \
    }                                                                                                              \
    putchar('\n');                                                                                                 \
  } while (0)

static void gathers(int i, int k) {
  for (int at = 0; at < 0x1000; at++) pages[at] = (unsigned char)(at * 7), pages[0x2000 + at] = (unsigned char)(at * 11);
  GATHER("dd", "vmovdqu", "vpgatherdd %%ymm6, (%2,%%ymm4,4), %%ymm5");
  GATHER("dd of 128 bits", "vmovdqu", "vpgatherdd %%xmm6, (%2,%%xmm4,4), %%xmm5");
  GATHER("dps, unaligned", "vmovdqu", "vgatherdps %%ymm6, -2(%2,%%ymm4,4), %%ymm5");
  GATHER("dpd", "vmovdqu", "vgatherdpd %%ymm6, (%2,%%xmm4,4), %%ymm5");
  GATHER("dq of 128 bits", "vmovdqu", "vpgatherdq %%xmm6, (%2,%%xmm4,8), %%xmm5");
  GATHER("qd", "vpmovsxdq", "vpgatherqd %%xmm6, (%2,%%ymm4,4), %%xmm5");
  GATHER("qps of 128 bits", "vpmovsxdq", "vgatherqps %%xmm6, (%2,%%xmm4,4), %%xmm5");
  GATHER("qq", "vpmovsxdq", "vpgatherqq %%ymm6, (%2,%%ymm4,4), %%ymm5");
  GATHER("qpd, without a base", "vpmovsxdq", "vpaddq %%ymm4, %%ymm4, %%ymm4\n vgatherqpd %%ymm6, 0x14000ff0(,%%ymm4,8), %%ymm5");
  GATHER("qq of 128 bits, narrow", "vpmovsxdq", "vpgatherqq %%xmm6, 4(%k2,%%xmm4,4), %%xmm5");
}

int main(void) {
  mmap(pages, 0x3000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  mprotect(pages + 0x1000, 0x1000, PROT_NONE);
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigaction(SIGSEGV, &action, NULL);
  for (int k = 0; k < MASKS; k++) {
    stores(k);
    for (int i = 0; i < 5; i++) gathers(i, k);
  }
}
