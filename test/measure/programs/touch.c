/* Touches megabytes: whole numbers, or bytes that all differ. */
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
  if (count < 3) return 2;
  size_t size = strtoull(arguments[1], NULL, 10) << 20;
  char *bytes = malloc(size);
  unsigned long sum = 0;
  if (arguments[2][0] == 'n') {
    for (size_t i = 0; i < size; i += 8) *(long *)(bytes + i) = i;
    for (size_t i = 0; i < size; i += 8) sum += *(long *)(bytes + i);
  } else
    for (size_t i = 0; i < size; i++) {
      __asm__ volatile("" ::: "memory");
      bytes[i] = i;
    }
  printf("%lu\n", sum);
  return 0;
}
