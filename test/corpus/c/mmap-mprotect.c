/* mmap and munmap, protections, files private and shared, mremap, madvise, fixed addresses. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  char *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  long sum = 0;
  for (int i = 0; i < 1 << 20; i += 4096) sum += p[i], p[i] = (char)(i >> 12);
  printf("%ld %d\n", sum, p[5 * 4096]);
  printf("%d\n", mprotect(p, 8192, PROT_READ));
  printf("%d %d\n", p[4096], munmap(p + 65536, 65536));
  char *again = mmap(p + 65536, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  printf("%d %d\n", again == p + 65536, again[0]);
  char *taken = mmap(p, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  printf("%d %d\n", taken == MAP_FAILED, errno == EEXIST);
  int fd = open("mapped", O_RDWR | O_CREAT | O_TRUNC, 0644);
  for (int i = 0; i < 3000; i++) dprintf(fd, "%d,", i % 10);
  char *private = mmap(NULL, 6000, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  char *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  private[0] = 'P';
  shared[2] = 'S';
  msync(shared, 4096, MS_SYNC);
  char text[8] = {0};
  pread(fd, text, 7, 0);
  printf("%c %s %c %d\n", private[0], text, private[5998], private[6500]);
  char *grown = mremap(again, 65536, 131072, MREMAP_MAYMOVE);
  grown[131071] = 1;
  printf("%d\n", grown[0] + grown[131071]);
  p[200 * 4096] = 9;
  madvise(p + 200 * 4096, 4096, MADV_DONTNEED);
  printf("%d %d\n", p[200 * 4096], mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EINVAL);
  munmap(shared, 4096), munmap(private, 6000), close(fd), unlink("mapped");
}
