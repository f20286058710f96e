/* One file or memfd that is mapped twice, by libc: a JIT's two views, a ring, changes of protection, forks. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static sigjmp_buf back;
static void caught(int number, siginfo_t *info, void *context) { siglongjmp(back, info->si_code); }

static int may_store(volatile char *at) {
  int code = sigsetjmp(back, 1);
  if (code == 0) at[0] = at[0];
  return code;
}

static void *map(int fd, size_t length, int protection, off_t offset) {
  void *at = mmap(NULL, length, protection, MAP_SHARED, fd, offset);
  if (at == MAP_FAILED) perror("mmap");
  return at;
}

static void views(int fd) {
  char *write = map(fd, 12288, PROT_READ | PROT_WRITE, 0);
  strcpy(write + 4090, "before the second view");
  char *read = map(fd, 12288, PROT_READ, 0);
  puts(read + 4090);
  strcpy(write + 4090, "after it, across a page");
  puts(read + 4090);
  printf("store: %d %d\n", may_store(write), may_store(read));
  puts(mprotect(read, 12288, PROT_READ | PROT_WRITE) == 0 ? "writable" : "not writable");
  memset(read + 8000, 'x', 200);
  printf("%.8s %.8s\n", write + 8000, write + 8192);
  mprotect(write, 4096, PROT_NONE);
  printf("store: %d %d %d\n", may_store(write), may_store(write + 4096), may_store(read));
  mprotect(write, 4096, PROT_READ | PROT_WRITE);
  char *last = map(fd, 4096, PROT_READ | PROT_WRITE, 8192);
  last[0] = 'L';
  printf("%c%c\n", write[8192], read[8192]);
  /* A private view shows what was there, and keeps its own. */
  char *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 8192);
  own[1] = 'P';
  printf("%c%c%c\n", own[0], own[1], last[1]);
  char text[8] = {0};
  pread(fd, text, 4, 8192);
  puts(text);
  pwrite(fd, "FILE", 4, 8192);
  printf("%.4s %.4s %.4s\n", write + 8192, read + 8192, last);
  munmap(write, 12288);
  last[3] = '!';
  printf("%.4s\n", read + 8192);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    strcpy(read + 100, "from the child");
    last[0] = 'C';
    _exit(last[3]);
  }
  int status;
  waitpid(child, &status, 0);
  printf("%s %.4s %d\n", read + 100, last, WEXITSTATUS(status));
  /* A private copy of the address space goes on with the same pages. */
  munmap(read, 12288);
  munmap(last, 4096);
  munmap(own, 4096);
}

static int call(void *code) { return ((int (*)(void))code)(); }

static void code(void) {
  int fd = memfd_create("code", 0);
  ftruncate(fd, 1 << 20);
  unsigned char *run = map(fd, 1 << 20, PROT_READ | PROT_EXEC, 0);
  unsigned char *write = map(fd, 1 << 20, PROT_READ | PROT_WRITE, 0);
  int sum = 0;
  for (int i = 0; i < 300; i++) {
    /* mov eax, i; ret, over what was there. */
    unsigned char *at = write + 4096 * (i % 3) + 4094;
    const unsigned char bytes[] = {0xb8, (unsigned char)i, (unsigned char)(i >> 8), 0, 0, 0xc3};
    memcpy(at, bytes, sizeof bytes);
    for (int again = 0; again < 5; again++) sum = sum * 3 + call(run + (at - write));
  }
  printf("%d %d\n", sum, may_store((char *)run));
  read(0, write + 4094, 0);
  pwrite(fd, "\xb8\x2a\0\0\0\xc3", 6, 4094);
  printf("%d\n", call(run + 4094));
  munmap(write, 1 << 20);
  printf("%d\n", call(run + 8190));
  close(fd);
}

static void ring(void) {
  const size_t size = 8192;
  int fd = memfd_create("ring", 0);
  ftruncate(fd, size);
  char *at = mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
  mmap(at + size, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
  unsigned hash = 0;
  size_t head = 0;
  for (int i = 0; i < 200; i++) {
    char line[64];
    int length = snprintf(line, sizeof line, "record %d of the ring, %x", i, hash);
    memcpy(at + head, line, length);
    for (int k = 0; k < length; k++) hash = hash * 31 + at[(head + k) % size];
    head = (head + length + 17) % size;
  }
  printf("%x %.9s\n", hash, at + size);
}

int main(void) {
  struct sigaction action = {.sa_sigaction = caught, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &action, NULL);
  int fd = open("twice", O_RDWR | O_CREAT, 0600);
  ftruncate(fd, 12288);
  views(fd);
  close(fd);
  int memory = memfd_create("views", 0);
  ftruncate(memory, 12288);
  views(memory);
  code();
  ring();
  return 0;
}
