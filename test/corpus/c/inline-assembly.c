/* Unusual instructions in inline assembly: bit tests, double shifts, exchanges, string operations, flags. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  uint64_t a = 0x0123456789abcdef, b = 0xfedcba9876543210, r, q;
  uint32_t d;
  uint8_t c, e;
  for (int i = 0; i < 5; i++, a = a * 0x9e3779b97f4a7c15 + 1, b ^= a >> 7) {
    r = a; __asm__("shldq %2, %1, %0" : "+r"(r) : "r"(b), "c"((uint8_t)(i * 13)) : "cc"); printf("%016llx ", (unsigned long long)r);
    r = a; __asm__("shrdq $9, %1, %0" : "+r"(r) : "r"(b) : "cc"); printf("%016llx ", (unsigned long long)r);
    r = a; __asm__("btsq %2, %0; setc %1" : "+r"(r), "=q"(c) : "r"((uint64_t)i * 31) : "cc"); printf("%016llx %d ", (unsigned long long)r, c);
    r = a; __asm__("btcq $17, %0; setc %1" : "+r"(r), "=q"(c) :: "cc"); printf("%016llx %d\n", (unsigned long long)r, c);
    uint64_t cells[4] = {a, b, ~a, ~b};
    __asm__("btrq %2, %0; setc %1" : "+m"(cells), "=q"(c) : "r"((uint64_t)(i * 50)) : "cc", "memory"); printf("%016llx %d ", (unsigned long long)(cells[0] ^ cells[1] ^ cells[2] ^ cells[3]), c);
    r = a; __asm__("clc; rclq $3, %0; rcrb $2, %b1" : "+r"(r), "=q"(c) : "1"((uint8_t)b) : "cc"); printf("%02x ", c);
    r = a; q = b; __asm__("xaddq %0, %1" : "+r"(r), "+r"(q) :: "cc"); printf("%016llx %016llx ", (unsigned long long)r, (unsigned long long)q);
    r = a; q = 7; __asm__("cmpxchgq %3, %1; setz %2" : "+a"(r), "+r"(q), "=q"(c) : "r"(b) : "cc"); printf("%016llx %llu %d ", (unsigned long long)r, (unsigned long long)q, c);
    __asm__("bsfq %2, %0; bsrq %2, %1" : "=&r"(r), "=&r"(q) : "r"(a) : "cc"); printf("%llu %llu ", (unsigned long long)r, (unsigned long long)q);
    __asm__("cwtl; cltq; cqto" : "=a"(r), "=d"(q) : "0"(a) : "cc"); printf("%016llx %016llx\n", (unsigned long long)r, (unsigned long long)q);
    __asm__("addb %b2, %%al; lahf; movb %%ah, %%dl; movb %%dl, %1" : "+a"(a), "=m"(e) : "c"((uint8_t)b) : "rdx", "cc"); printf("%02x ", e & 0xd5);
    d = (uint32_t)b; __asm__("bswap %0; rolw $5, %w0; negb %b0; notl %0" : "+q"(d) :: "cc"); printf("%08x ", d);
    __asm__("xorl %%eax, %%eax; movb %1, %%al; movb $7, %%cl; mulb %%cl; sbbl %0, %0" : "=r"(d) : "q"((uint8_t)(i * 20)) : "rax", "rcx", "cc"); printf("%d\n", (int)d);
  }
  char from[64] = "the quick brown fox jumps over", to[64] = {0};
  void *s = from, *t = to;
  uint64_t n = 20;
  __asm__("cld; rep movsb" : "+S"(s), "+D"(t), "+c"(n) :: "memory");
  s = from + 29, t = to + 40, n = 5;
  __asm__("std; rep movsw; cld" : "+S"(s), "+D"(t), "+c"(n) :: "memory");
  t = to + 50, n = 10;
  __asm__("rep stosb" : "+D"(t), "+c"(n) : "a"('z') : "memory");
  t = from, n = 64;
  __asm__("repne scasb" : "+D"(t), "+c"(n) : "a"('q') : "cc", "memory");
  printf("%td %llu ", (char *)t - from, (unsigned long long)n);
  s = from, t = to, n = 64;
  __asm__("repe cmpsb" : "+S"(s), "+D"(t), "+c"(n) :: "cc", "memory");
  printf("%td %.20s %s\n", (char *)s - from, to, to + 50);
  __asm__("leaq table%=(%%rip), %%rbx; movl $3, %%eax; xlat; jmp 1f; table%=: .byte 5, 6, 7, 88, 9; 1:" : "=a"(r) :: "rbx"); printf("%llu\n", (unsigned long long)(r & 0xff));
  int count = 0;
  __asm__("movl $1000, %%ecx; 1: incl %0; loop 1b; jrcxz 2f; movl $0, %0; 2:" : "+r"(count) :: "rcx", "cc"); printf("%d\n", count);

}
