/* Touches megabytes: whole numbers, or bytes that all differ; or maps a file and looks at some bytes of it, reads it (standard input without a name), or writes
   some bytes to it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int count, char **arguments) {
  if (count < 3) return 2;
  size_t size = strtoull(arguments[1], NULL, 10) << 20;
  char *bytes = malloc(size);
  unsigned long sum = 0;
  if (arguments[2][0] == 'm') {
    int file = open(arguments[3], O_RDONLY);
    size = lseek(file, 0, SEEK_END);
    bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
    if (bytes == MAP_FAILED) return 1;
    for (size_t i = 0; i < size; i += size / 100) sum += bytes[i];
  } else if (arguments[2][0] == 'w') {
    int file = open(arguments[3], O_RDWR);
    size = lseek(file, 0, SEEK_END);
    for (size_t i = 0; i < size; i += size / 100)
      if (pwrite(file, "1", 1, i) != 1) return 1;
  } else if (arguments[2][0] == 'r') {
    static char part[1 << 20];
    int file = count > 3 ? open(arguments[3], O_RDONLY) : 0;
    for (long length; (length = read(file, part, sizeof part)) > 0;) sum += length;
  } else if (arguments[2][0] == 'n') {
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
