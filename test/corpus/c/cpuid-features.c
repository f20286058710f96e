/* What the compiler's runtime says of the processor is consistent; the values themselves are not printed. */
#include <cpuid.h>
#include <stdio.h>

int main(void) {
  unsigned a, b, c, d;
  __builtin_cpu_init();
  int agrees = 1;
  __get_cpuid(1, &a, &b, &c, &d);
  agrees &= !!__builtin_cpu_supports("sse2") == (d >> 26 & 1);
  agrees &= !!__builtin_cpu_supports("sse4.2") == (c >> 20 & 1);
  agrees &= !!__builtin_cpu_supports("popcnt") == (c >> 23 & 1);
  printf("%d %d %d %d\n", agrees, __builtin_cpu_supports("sse2") != 0, (d & 1) != 0, __get_cpuid_max(0, NULL) >= 1);
}
