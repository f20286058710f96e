/* rsp where no stack can be, when a process ends, faults or calls. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const unsigned long places[] = {-16ul, 0x8000000000000000ul, 0x7ffffffffffffff0ul, 0x0000800000000000ul, 0, 4096};

static void run(int what, unsigned long place) {
  switch (what) {
    case 0:
      __asm__ volatile("mov %0, %%rsp; mov $60, %%eax; mov $5, %%edi; syscall" ::"r"(place) : "memory");
    case 1:
      __asm__ volatile("mov %0, %%rsp; push %%rax" ::"r"(place) : "memory");
    case 2:
      __asm__ volatile("mov %0, %%rsp; ud2" ::"r"(place) : "memory");
    case 3:
      __asm__ volatile("mov %0, %%rsp; call 1f; 1: ret" ::"r"(place) : "memory");
  }
  __builtin_unreachable();
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  for (int what = 0; what < 4; what++)
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
      /* What uses the stack is told of addresses that are not canonical by SIGBUS. */
      if (what % 2 == 1 && i > 0 && i < 3) continue;
      pid_t child = fork();
      if (child == 0) run(what, places[i]);
      int status;
      waitpid(child, &status, 0);
      printf("%d at %lx: %s %d\n", what, places[i], WIFEXITED(status) ? "exit" : "signal",
             WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    }
}
