#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

/* Vector registers in all their width live through a handler that overwrites them, and the frame holds them. */
static uint32_t before[8], inside[8], after[8], saved[8];

static void handle(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  __asm__ volatile("vmovdqu %%ymm9, %0\n vpcmpeqd %%ymm9, %%ymm9, %%ymm9" : "=m"(inside) : : "xmm9");
  const char *state = (const char *)((ucontext_t *)context)->uc_mcontext.fpregs;
  memcpy(saved, state + 160 + 9 * 16, 16);
  memcpy(saved + 4, state + 576 + 9 * 16, 16);
  /* The halves of register 9 are exchanged for whoever comes back. */
  char half[16];
  memcpy(half, state + 160 + 9 * 16, 16);
  memcpy((char *)state + 160 + 9 * 16, state + 576 + 9 * 16, 16);
  memcpy((char *)state + 576 + 9 * 16, half, 16);
}

static void show(const char *name, const uint32_t *values) {
  printf("%s", name);
  for (int i = 0; i < 8; i++) printf(" %08x", values[i]);
  printf("\n");
}

int main(void) {
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, NULL);
  for (int i = 0; i < 8; i++) before[i] = 0x01234567u * (uint32_t)(i + 1);
  long result = 62; /* kill */
  __asm__ volatile(
      "vmovdqu %2, %%ymm9\n syscall\n vmovdqu %%ymm9, %1\n vzeroupper"
      : "+a"(result), "=m"(after)
      : "m"(before), "D"((long)getpid()), "S"((long)SIGUSR1)
      : "rcx", "r11", "memory", "xmm9");
  show("before", before);
  show("inside", inside);
  show("saved", saved);
  show("after", after);
  return 0;
}
