/* corpus: uncounted apart:2500 */
/* Programs run by execve, system and popen, with arguments, environments and inherited descriptors. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc > 1) {
    printf("child %s %s\n", argv[1], getenv("COLOUR") ? getenv("COLOUR") : "-");
    return atoi(argv[1]);
  }
  char *const arguments[] = {argv[0], "17", NULL}, *const environment[] = {"COLOUR=green", NULL};
  int status;
  fflush(stdout);
  if (fork() == 0) execve(argv[0], arguments, environment), _exit(99);
  wait(&status);
  printf("%d\n", WEXITSTATUS(status));
  fflush(stdout);
  printf("%d\n", WEXITSTATUS(system("echo from the shell; exit 3")));
  fflush(stdout);
  FILE *f = popen("sort | tr a-z A-Z", "w");
  fputs("pear\napple\nfig\n", f);
  printf("%d\n", pclose(f));
  char line[40];
  f = popen("echo one; echo two", "r");
  while (fgets(line, sizeof line, f)) printf("got %s", line);
  printf("%d\n", pclose(f));
  fflush(stdout);
  if (vfork() == 0) execl("/bin/nonexistent", "x", NULL), _exit(45);
  wait(&status);
  printf("%d\n", WEXITSTATUS(status));
}
