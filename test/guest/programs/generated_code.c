/* Code that is written, executed, written over, unmapped and mapped again at the same place. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

typedef int (*function)(int);

static unsigned char *page(int protection) {
  return mmap(0, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(void) {
  int sum = 0;
  unsigned char *code = page(PROT_READ | PROT_WRITE | PROT_EXEC);
  for (int i = 0; i < 50; i++) {
    unsigned char body[] = {0x8d, 0x87, i, 0, 0, 0, 0xc3}; /* lea eax,[rdi+i]; ret */
    memcpy(code, body, sizeof body);
    sum += ((function)code)(1000);
    sum += ((function)code)(i);
  }
  printf("written over: %d\n", sum);
  for (int i = 0; i < 20; i++) {
    munmap(code, 4096);
    code = page(PROT_READ | PROT_WRITE);
    unsigned char body[] = {0x8d, 0x47, i, 0xc3}; /* lea eax,[rdi+i], the short form; ret */
    memcpy(code, body, sizeof body);
    mprotect(code, 4096, PROT_READ | PROT_EXEC);
    sum += ((function)code)(1);
  }
  printf("mapped anew: %d\n", sum);
  return sum & 63;
}
