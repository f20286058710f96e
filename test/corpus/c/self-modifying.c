/* Code written at run time, changed after it ran, in pages that are mapped anew, and in its own path. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int main(void) {
  unsigned char *code = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int (*f)(int) = (int (*)(int))code;
  /* lea eax, [rdi+disp8]; ret */
  static const unsigned char add[] = {0x8d, 0x47, 0x00, 0xc3};
  memcpy(code, add, sizeof add);
  long sum = 0;
  for (int i = 0; i < 100; i++) {
    code[2] = (unsigned char)i;
    sum = sum * 3 + f(i);
  }
  printf("%ld\n", sum);
  /* mov eax, 0; loop: inc eax; dec edi; jnz loop; ret; the immediate of the first is patched by a store within the code */
  static const unsigned char patching[] = {0xb8, 0, 0, 0, 0, 0xff, 0x05, 0xf6, 0xff, 0xff, 0xff, 0xff, 0xcf, 0x75, 0xf1, 0xc3};
  memcpy(code + 256, patching, sizeof patching);
  int (*g)(int) = (int (*)(int))(code + 256);
  printf("%d %d\n", g(10), g(2000));
  munmap(code, 4096);
  unsigned char *other = mmap(code, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  /* imul eax, edi, imm8; ret */
  static const unsigned char times[] = {0x6b, 0xc7, 0x07, 0xc3};
  memcpy(other, times, sizeof times);
  mprotect(other, 4096, PROT_READ | PROT_EXEC);
  printf("%d %d\n", f(6), f(-3));
  mprotect(other, 4096, PROT_READ | PROT_WRITE);
  other[2] = 9;
  mprotect(other, 4096, PROT_READ | PROT_EXEC);
  printf("%d\n", f(6));
}
