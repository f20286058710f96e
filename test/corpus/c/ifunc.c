/* corpus: not:musl */
/* Functions chosen at load time by resolvers. */
#include <stdio.h>

static int plain(int x) { return x + 1; }
static int special(int x) { return x * 2; }
static int calls;
static int (*choose(void))(int) { return special; }
int chosen(int x) __attribute__((ifunc("choose")));
static int (*choose_plain(void))(int) { return plain; }
int other(int x) __attribute__((ifunc("choose_plain")));

int main(void) {
  int (*volatile pointer)(int) = chosen;
  for (int i = 0; i < 10; i++) calls += chosen(i) + other(i) * 100 + pointer(i) * 7;
  printf("%d %d\n", calls, pointer == chosen);
}
