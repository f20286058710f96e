#include "common.h"
#include <sys/types.h>
static int shared = 1;
int main(void) {
  /* What a child of vfork stores its parent finds. */
  char *heap = malloc(100);
  strcpy(heap, "before");
  pid_t child = vfork();
  if (child == 0) {
    shared = 2;
    strcpy(heap, "after");
    _exit(7);
  }
  say("vfork %d %d %s\n", ended(child), shared, heap);
  child = vfork();
  if (child == 0) {
    shared = 3;
    execl("/bin/sh", "sh", "-c", "exit 5", (char *)0);
    _exit(1);
  }
  int seen = shared;
  say("vfork and exec %d %d\n", ended(child), seen);
  child = vfork();
  if (child == 0) {
    execl("/nowhere", "nowhere", (char *)0);
    shared = errno;
    _exit(9);
  }
  say("failed exec %d %d\n", ended(child), shared == ENOENT);
  int ends[2];
  pipe(ends);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  char *arguments[] = {"sh", "-c", "echo spawned $X; cat; exit 4", 0};
  char *variables[] = {"X=value", "PATH=/bin:/usr/bin", 0};
  say("spawn %d\n", posix_spawn(&child, "/bin/sh", &actions, 0, arguments, variables));
  close(ends[1]);
  char buffer[64];
  ssize_t count = read(ends[0], buffer, sizeof buffer);
  say("%.*s%d\n", (int)count, buffer, ended(child));
  say("missing %d\n", posix_spawnp(&child, "no-such-program", 0, 0, arguments, variables) == ENOENT);
  say("system %d\n", WEXITSTATUS(system("exit 6")));
  say("system killed %d\n", WTERMSIG(system("kill -9 $$")));
  FILE *from = popen("echo lines; echo of; echo output; exit 2", "r");
  while (fgets(buffer, sizeof buffer, from)) say("got %s", buffer);
  say("pclose %d\n", WEXITSTATUS(pclose(from)));
  FILE *to = popen("sort -r", "w");
  fputs("a\nc\nb\n", to);
  say("sorted %d\n", pclose(to));
  return 0;
}
