// Calls that open on a coroutine's stack above where a handler on the alternate stack has returned to it, and are left there.
#include <signal.h>
#include <ucontext.h>

static ucontext_t own, other;
static char stack[65536], given[65536];
static volatile long handled;

static void handle(int number) { handled += number; }
static void __attribute__((noinline)) yield(void) { swapcontext(&own, &other); }
long __attribute__((noinline)) waits(long x) {
  for (int i = 0; i < 9; i++) x = x * 3 + i;
  yield();
  return x + 1;
}
long __attribute__((noinline)) signals(long x) {
  volatile char room[800];
  room[x & 7] = 1;
  raise(SIGUSR1);
  return x + room[1];
}
long __attribute__((noinline)) around(long x) {
  x = signals(x);
  for (int i = 0; i < 2; i++) x = waits(x);
  return x;
}
static void generate(void) {
  volatile long x = 1;
  for (int i = 0; i < 3; i++) x = around(x);
}

int main(void) {
  stack_t alternate = {.ss_sp = given, .ss_size = sizeof given};
  sigaltstack(&alternate, 0);
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, 0);
  getcontext(&own);
  own.uc_stack.ss_sp = stack;
  own.uc_stack.ss_size = sizeof stack;
  own.uc_link = &other;
  makecontext(&own, generate, 0);
  long x = 3;
  for (int round = 0; round < 5; round++) {
    swapcontext(&other, &own);
    x = x * 5 + handled;
  }
  return x & 63;
}
