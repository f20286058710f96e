/* Output redirected within the process: dup2 over stdout, fdopen, pipes filled and drained, ungetc over them. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  int ends[2], kept = dup(1);
  pipe(ends);
  fflush(stdout);
  dup2(ends[1], 1);
  printf("into the pipe %d\n", 42);
  fflush(stdout);
  dup2(kept, 1);
  close(ends[1]);
  FILE *in = fdopen(ends[0], "r");
  char line[64];
  fgets(line, sizeof line, in);
  ungetc('!', in);
  printf("got %s%c\n", line, fgetc(in));
  printf("%d\n", fgetc(in));
  fclose(in);
  int fd = open("redirected", O_CREAT | O_RDWR | O_TRUNC, 0644);
  fflush(stdout);
  dup2(fd, 1);
  puts("to a file");
  fflush(stdout);
  dup2(kept, 1);
  lseek(fd, 3, SEEK_SET);
  memset(line, 0, sizeof line);
  read(fd, line, 60);
  printf("%s", line);
  unlink("redirected");
}
