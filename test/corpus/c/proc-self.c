/* corpus: uncounted */
/* /proc/self: the program's own path, arguments, maps and status, as far as they are the same everywhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char path[4096] = {0}, line[4096];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  printf("%d ", n > 0 && strcmp(path, argv[0]) == 0);
  FILE *f = fopen("/proc/self/maps", "r");
  int stacks = 0, own = 0, executable = 0;
  while (fgets(line, sizeof line, f)) {
    unsigned long start, end;
    char bits[5];
    sscanf(line, "%lx-%lx %4s", &start, &end, bits);
    stacks += strstr(line, "[stack]") != NULL && (unsigned long)&n >= start && (unsigned long)&n < end;
    own += strstr(line, path) != NULL;
    executable += bits[2] == 'x' && (unsigned long)main >= start && (unsigned long)main < end;
  }
  fclose(f);
  f = fopen("/proc/self/cmdline", "r");
  size_t got = fread(line, 1, sizeof line, f);
  fclose(f);
  printf("%d %d %d %d ", stacks, own > 2, executable, got == strlen(argv[0]) + 1);
  f = fopen("/proc/self/status", "r");
  int pid = 0;
  while (f && fgets(line, sizeof line, f)) sscanf(line, "Pid: %d", &pid);
  printf("%d %d\n", pid == getpid(), access("/proc/self/fd/0", F_OK));
}
