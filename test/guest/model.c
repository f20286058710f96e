/* Which processor libraries take it for that go by its model. */
#include <stdio.h>

int main(void) {
  __builtin_cpu_init();
  if (__builtin_cpu_is("haswell")) puts("haswell");
  else if (__builtin_cpu_is("nehalem")) puts("nehalem");
  else puts("older");
}
