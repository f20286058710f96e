/* More memory than is ever touched, shared by processes: what each stores the others find, and forks of forks. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#define SIZE (768ul << 20)
static volatile int *turn;
static void await(int value) { while (*turn != value) sched_yield(); }
int main(void) {
  char *memory = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  turn = (int *)memory;
  memory[SIZE - 1] = 'p';
  memory[100 << 20] = 'b';
  if (fork() == 0) {
    // Found, changed, and given on to a child of its own.
    printf("child %c %c %d\n", memory[SIZE - 1], memory[100 << 20], memory[200 << 20]);
    fflush(stdout);
    memory[SIZE - 1] = 'c';
    if (fork() == 0) {
      printf("grandchild %c\n", memory[SIZE - 1]);
      fflush(stdout);
      memset(memory + (300 << 20) + 100, 'g', 10000);
      *turn = 1;
      await(2);
      printf("grandchild %c\n", memory[400 << 20]);
      fflush(stdout);
      // Nothing of it is left for anybody.
      madvise(memory + (300 << 20), 1 << 20, MADV_REMOVE);
      _exit(0);
    }
    wait(0);
    *turn = 3;
    _exit(0);
  }
  await(1);
  int sum = 0;
  for (int i = 0; i < 12000; i++) sum += memory[(300 << 20) + i] != 0;
  printf("parent %d %c\n", sum, memory[SIZE - 1]);
  fflush(stdout);
  memory[400 << 20] = 'p';
  *turn = 2;
  await(3);
  sum = 0;
  for (int i = 0; i < 12000; i++) sum += memory[(300 << 20) + i] != 0;
  printf("parent %d\n", sum);
  // A page that both store to, each its own bytes.
  for (int child = 1; child <= 3; child++)
    if (fork() == 0) {
      for (int i = 0; i < 100; i++) { memory[(500 << 20) + 4 * i + child] += child; if (i % 10 == 0) sched_yield(); }
      _exit(0);
    }
  while (wait(0) > 0) {}
  sum = 0;
  for (int i = 0; i < 400; i++) sum += memory[(500 << 20) + i];
  printf("all %d\n", sum);
  mprotect(memory + (500 << 20), 4096, PROT_READ);
  munmap(memory, SIZE);
  return 0;
}
