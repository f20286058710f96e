/*
 * Code that is changed after code beside it, in the same page or across its end, was executed: what was read ahead of it must
 * not be executed. Each function returns a number of its own; each change has its own way into memory.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

typedef int (*function)(void);

enum { SIZE = 8, PAGE = 4096, PAGES = 3, STEP = 56 };

static void make(unsigned char *at, int value) {
  unsigned char body[SIZE] = {0xb8, value, value >> 8, 0, 0, 0x90, 0xc3, 0xcc}; /* mov eax, value; nop; ret; int3 */
  memcpy(at, body, SIZE);
}

static int call(unsigned char *at) {
  return ((function)at)();
}

static void by_store(unsigned char *at, unsigned char *alias, const unsigned char *body) {
  memcpy(at, body, SIZE);
}

static void by_alias(unsigned char *at, unsigned char *alias, const unsigned char *body) {
  memcpy(alias, body, SIZE);
}

static void by_read(unsigned char *at, unsigned char *alias, const unsigned char *body) {
  int ends[2];
  if (pipe(ends) != 0 || write(ends[1], body, SIZE) != SIZE || read(ends[0], at, SIZE) != SIZE) _exit(1);
  close(ends[0]);
  close(ends[1]);
}

static void by_pieces(unsigned char *at, unsigned char *alias, const unsigned char *body) {
  int ends[2];
  struct iovec parts[2] = {{at, 3}, {at + 3, SIZE - 3}};
  if (pipe(ends) != 0 || write(ends[1], body, SIZE) != SIZE || readv(ends[0], parts, 2) != SIZE) _exit(1);
  close(ends[0]);
  close(ends[1]);
}

static void by_string(unsigned char *at, unsigned char *alias, const unsigned char *body) {
  unsigned long count = SIZE;
  __asm__ volatile("rep movsb" : "+D"(at), "+S"(body), "+c"(count) : : "memory");
}

static void (*const ways[])(unsigned char *, unsigned char *, const unsigned char *) = {
    by_store, by_alias, by_read, by_pieces, by_string,
};

static void try(const char *what, unsigned char *code, unsigned char *alias) {
  long sum = 0;
  int next = 1;
  for (int round = 0; round < 2; round++) {
    int places = 0;
    for (int offset = round % 7; offset + SIZE <= PAGES * PAGE; offset += STEP) {
      make(alias + offset, next++);
      places++;
    }
    for (int i = 0; i < places; i++) {
      int offset = round % 7 + STEP * i;
      int other = round % 7 + STEP * ((i * 5 + round) % places);
      unsigned char body[SIZE];
      sum = sum * 3 + call(code + offset);
      make(body, next++);
      ways[(i + round) % (sizeof ways / sizeof *ways)](code + other, alias + other, body);
      sum = sum * 5 + call(code + other);
      if (i + 1 < places) sum = sum * 7 + call(code + offset + STEP);
      sum %= 1000000007;
    }
  }
  printf("%s: %ld\n", what, sum);
}

int main(void) {
  unsigned char *own = mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  try("own", own, own);
  int file = memfd_create("code", 0);
  if (ftruncate(file, PAGES * PAGE) != 0) return 1;
  unsigned char *code = mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED, file, 0);
  unsigned char *alias = mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  try("mapped twice", code, alias);
  /* Another page at the same place. */
  long sum = 0;
  for (int i = 0; i < 30; i++) {
    unsigned char *fresh = mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    make(fresh, i);
    make(fresh + 64, i + 100);
    mprotect(fresh, PAGE, PROT_READ | PROT_EXEC);
    mremap(fresh, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, own + PAGE);
    sum = sum * 3 + call(own + PAGE);
    if (i % 2) mprotect(own + PAGE, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC), make(own + PAGE + 64, i + 500);
    sum = (sum * 5 + call(own + PAGE + 64)) % 1000000007;
  }
  printf("moved there: %ld\n", sum);
  return 0;
}
