/* corpus: not:musl */
/* errno of failing calls, strerror of all numbers, perror, err.h-like exits. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRY(E) (errno = 0, (void)(E), printf("%-28s %s\n", #E, strerror(errno)))

int main(void) {
  char small[2];
  TRY(open("none", O_RDONLY)); TRY(open(".", O_WRONLY)); TRY(open("/", O_RDWR | O_CREAT, 0600)); TRY(close(99)); TRY(read(-1, small, 1));
  TRY(chdir("/etc/passwd")); TRY(getcwd(small, 1)); TRY(lseek(0, -5, SEEK_SET)); TRY(dup2(0, -1)); TRY(mkdir("/", 0700)); TRY(rmdir("/nothing"));
  TRY(unlink("")); TRY(readlink("/", small, 2)); TRY(access("/root/x/y", F_OK)); TRY(fcntl(50, F_GETFD)); TRY(ftruncate(0, -1)); TRY(rename("a", "b/c"));
  TRY(strtol("99999999999999999999", NULL, 10)); TRY(log(-1)); TRY(exp(1000)); TRY(malloc((size_t)-1)); TRY(write(0x7ffffff, "", 1));
  unsigned hash = 0;
  for (int e = 0; e < 140; e++) for (const char *s = strerror(e); *s; s++) hash = hash * 31 + (unsigned char)*s;
  printf("%u %s\n", hash, strerror(12345));
}
