/*
 * Code in a file that is mapped while the file changes: by system calls, through another mapping, by a child. Private
 * mappings show what the process itself writes to the file, but in pages that are its own by then.
 */
#include "common.h"
#include <sys/mman.h>
#include <sys/uio.h>

static int fd;
static const int at = 100;

static void change(int how, const unsigned char *code, int length) {
  struct iovec part = {(void *)code, length};
  unsigned char *other;
  switch (how) {
    case 0: pwrite(fd, code, length, at); break;
    case 1: lseek(fd, at, SEEK_SET), write(fd, code, length); break;
    case 2: pwritev(fd, &part, 1, at); break;
    case 3:
      other = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      memcpy(other + at, code, length);
      munmap(other, 8192);
      break;
    case 4:
      if (fork() == 0) change(3, code, length), _exit(0);
      wait(0);
      break;
    case 5:
      if (fork() == 0) change(0, code, length), _exit(0);
      wait(0);
      break;
  }
}

int main(void) {
  for (int how = 0; how < 6; how++) {
    fd = memfd_create("code", 0);
    ftruncate(fd, 8192);
    unsigned char *mapped = mmap(0, 8192, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
    int oldCode = 0, oldBytes = 0;
    for (int i = 0; i < 20; i++) {
      /* lea eax, [rdi + i]; ret */
      const unsigned char code[] = {0x8d, 0x87, i, 0, 0, 0, 0xc3};
      change(how, code, sizeof code);
      oldBytes += mapped[at + 2] != i;
      int sum = 0;
      for (int k = 0; k < 1000; k++) sum += ((int (*)(int))(mapped + at))(k);
      oldCode += sum != 499500 + 1000 * i;
    }
    printf("%d: old code %d times, old bytes %d times\n", how, oldCode, oldBytes);
    munmap(mapped, 8192);
    close(fd);
  }
  fd = memfd_create("private", 0);
  ftruncate(fd, 6000);
  char *mapped = mmap(0, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE, fd, 0);
  unsigned char code[] = {0x8d, 0x87, 0, 0, 0, 0, 0xc3};
  for (int i = 0; i < 40; i++) {
    code[2] = i;
    if (i == 30) mapped[0] = 7; /* From now on this page is the process's own, and the other one is not. */
    pwrite(fd, code, sizeof code, at);
    pwrite(fd, &i, 4, 5998);
    int sum = 0;
    for (int k = 0; k < 100; k++) sum += ((int (*)(int))(mapped + at))(k);
    printf("%d %d %d\n", mapped[at + 2], sum, mapped[5998]);
  }
}
