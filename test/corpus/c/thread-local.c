/* Thread-local variables of several sizes and kinds, initialised and not, in one thread. */
#include <stdio.h>

static __thread int counter = 5;
static _Thread_local double values[100];
static __thread struct { char c; long l[3]; } record = {'x', {1, 2, 3}};
extern __thread int shared;
__thread int shared = 77;
static __thread char text[20] = "thread-local";
static __thread int *pointer;

__attribute__((noinline)) static int *next(void) { counter += 3; return &counter; }

int main(void) {
  pointer = &shared;
  for (int i = 0; i < 100; i++) values[i] = i * 0.5 + *next();
  *pointer += record.c;
  record.l[1] += shared;
  double sum = 0;
  for (int i = 0; i < 100; i++) sum += values[i];
  printf("%d %g %c %ld %d %s %d\n", counter, sum, record.c, record.l[1], shared, text, pointer == &shared);
}
