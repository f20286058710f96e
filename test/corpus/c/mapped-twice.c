/* Files that are mapped more than once: code that is changed through a mapping which comes while it runs, and contents that follow moves. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A million rounds: at the 700,000th from the end a system call lets code be written at 0x12000000, and at the 500,000th one instruction becomes another. */
extern char blob[], blob_end[], blob_patch[];
asm(".text\nblob:\n push %rbx; push %r12; push %r13; push %r14; push %r15; push %rbp\n mov %rdi,%r12; mov %rsi,%r15; mov %rdx,%rbp\n"
    "mov $1000000,%ebx; xor %r13d,%r13d; xor %r14d,%r14d\n 1: cmp $700000,%ebx; jne 2f\n"
    "mov $0x12000000,%edi; mov $4096,%esi; mov $3,%edx; mov $0x11,%r10d; mov %r12,%r8; xor %r9d,%r9d; mov %rbp,%rax; syscall\n"
    "2: mov %r15,%rsi; mov $0x12000000+(blob_patch-blob)+2,%edi; movb $0xc6,%al; cmp $500000,%ebx; cmove %rdi,%rsi; mov %al,(%rsi)\n"
    "blob_patch: .byte 0x41,0x83,0xc5,0x01\n dec %ebx; jnz 1b\n"
    "mov %r13,%rax; shl $32,%rax; or %r14,%rax\n pop %rbp; pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; ret\nblob_end:\n");

static void changed(int protects) {
  static char other[64];
  const int file = memfd_create("code", 0);
  if (ftruncate(file, 4096) != 0 || pwrite(file, blob, blob_end - blob, 0) < 0) return;
  unsigned long (*run)(long, char *, long) = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
  if (protects) mmap((void *)0x12000000, 4096, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0);
  const unsigned long counts = run(file, other, protects ? 10 : 9);
  printf("%lu %lu\n", counts >> 32, counts & 0xffffffff);
  munmap((void *)0x12000000, 4096);
}

static int pages(int count) {
  const int file = memfd_create("pages", 0);
  return ftruncate(file, count * 4096l) == 0 ? file : -1;
}

static void moved(void) {
  const int file = pages(2);
  char *one = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  char *view = mmap(NULL, 8192, PROT_READ, MAP_SHARED, file, 0);
  one[0] = 'x';
  view = mremap(view, 8192, 16384, MREMAP_MAYMOVE);
  printf("%d %d\n", one[0], view[0]);
  char *grown = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  one[4096] = 'y';
  grown = mremap(grown, 4096, 8192, MREMAP_MAYMOVE);
  printf("%d %d\n", one[4096], grown[4096]);
  char *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  own[1] = 'p';
  one[0] = 'z';
  madvise(own, 4096, MADV_DONTNEED);
  printf("%d %d\n", own[0], own[1]);
}

static sigjmp_buf out;
static void leave(int signal) { siglongjmp(out, signal); }

/* What nobody may read stays so where it goes, and is there when it may be read. */
static void unreadable(void) {
  char *from = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *to = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  from[8] = 5;
  mprotect(from, 4096, PROT_NONE);
  volatile char *there = mremap(from, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, to);
  const int signal = sigsetjmp(out, 1);
  if (signal == 0) printf("read %d\n", there[8]);
  mprotect(to, 4096, PROT_READ);
  printf("%d %d\n", signal, there[8]);
}

int main(void) {
  signal(SIGSEGV, leave);
  changed(0);
  changed(1);
  moved();
  unreadable();
  return 0;
}
