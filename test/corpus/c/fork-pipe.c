/* corpus: uncounted apart:2500 */
/* Children by fork, pipes both ways, wait, exit codes and signals. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int down[2], up[2], status, shared = 5;
  pipe(down), pipe(up);
  pid_t child = fork();
  if (child == 0) {
    close(down[1]), close(up[0]);
    char c;
    while (read(down[0], &c, 1) == 1) c = (char)(c ^ 32), write(up[1], &c, 1);
    shared = 99;
    _exit(shared - 95);
  }
  close(down[0]), close(up[1]);
  write(down[1], "HELLO child", 11);
  close(down[1]);
  char text[32] = {0};
  for (int n = 0, got; (got = (int)read(up[0], text + n, 31 - n)) > 0;) n += got;
  printf("%d ", waitpid(child, &status, 0) == child);
  printf("[%s] %d %d %d\n", text, WIFEXITED(status), WEXITSTATUS(status), shared);
  for (int i = 0; i < 4; i++) {
    fflush(stdout);
    if ((child = fork()) == 0) {
      if (i == 2) raise(SIGTERM);
      exit(i * 3);
    }
    waitpid(child, &status, 0);
    printf("%d %d\n", i, WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status));
  }
  printf("%d\n", (int)wait(NULL));
}
