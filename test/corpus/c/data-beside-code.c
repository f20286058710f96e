/* Data and code in one page, as just-in-time compilers have them: stores beside code, code written there later, code changed among them. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

typedef long function(long);

/* lea rax, [rdi + value]; ret */
static void write_function(uint8_t *at, int32_t value) {
  memcpy(at, "\x48\x8d\x87\0\0\0\0\xc3", 8);
  memcpy(at + 3, &value, 4);
}

int main(void) {
  uint8_t *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  volatile int64_t *data = (volatile int64_t *)(page + 2048);
  long sum = 0, others = 0;
  write_function(page, 3);
  for (int i = 0; i < 60000; i++) {
    sum = ((function *)page)(sum);
    data[i & 7] = sum;
    sum += data[(i + 3) & 7] & 15;
    /* Where there was data, and where nothing was. */
    if (i % 500 == 499) {
      uint8_t *fresh = page + 64 + (i / 500 % 20) * 40;
      write_function(fresh, i);
      others += ((function *)fresh)(1);
      write_function((uint8_t *)data, -i);
      others += ((function *)(uintptr_t)data)(2);
    }
    if (i % 4000 == 3999) write_function(page, i % 7);
    /* Bytes of the instruction at hand's page that belong to no instruction, in the middle of a line with code, and over two lines. */
    page[8 + i % 16] = (uint8_t)i;
    memcpy(page + 3900 - i % 32, &sum, 8);
    /* Into the next page. */
    memcpy(page + 4092, &sum, 8);
  }
  printf("%ld %ld\n", sum, others);
  /* A page of which only data is stored for long, and then code again. */
  for (long i = 0; i < 300000; i++) data[i & 63] += i;
  sum = ((function *)page)(sum);
  write_function(page + 1024, 77);
  printf("%ld %ld\n", sum, ((function *)(page + 1024))(data[5]));
  return 0;
}
