/* corpus: not:musl */
/* Coroutines by makecontext and swapcontext. */
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t back, contexts[3];
static int current, value;
static void yield(int v) { value = v; swapcontext(&contexts[current], &back); }
static void squares(int from, int to) { for (int i = from; i < to; i++) yield(i * i); value = -1; }
static void words(const char *text) { for (; *text; text++) yield(*text); value = -1; }
static void recurse(int n) { if (n) recurse(n - 1), yield(n), recurse(n - 1); else value = -1; }

int main(void) {
  for (int i = 0; i < 3; i++) {
    getcontext(&contexts[i]);
    contexts[i].uc_stack.ss_sp = malloc(65536);
    contexts[i].uc_stack.ss_size = 65536;
    contexts[i].uc_link = &back;
  }
  makecontext(&contexts[0], (void (*)(void))squares, 2, 3, 9);
  makecontext(&contexts[1], (void (*)(void))words, 1, "coroutine");
  makecontext(&contexts[2], (void (*)(void))recurse, 1, 3);
  int alive[3] = {1, 1, 1}, left = 3;
  while (left)
    for (current = 0; current < 3; current++)
      if (alive[current]) {
        swapcontext(&back, &contexts[current]);
        if (value < 0) alive[current] = 0, left--;
        else printf("%d:%d ", current, value);
      }
  puts("");
}
