#include "common.h"
/* A program that starts itself in all ways there are. */
static void show(int count, char **arguments) {
  say("as");
  for (int i = 0; i < count; i++) say(" [%s]", arguments[i]);
  say(" with");
  for (char **each = environ; *each; each++) say(" {%s}", *each);
  say(" open");
  for (int i = 3; i < 20; i++)
    if (fcntl(i, F_GETFD) >= 0) say(" %d", i);
  say("\n");
}
static pid_t self(int how, int descriptor) {
  char *arguments[] = {"renamed", "show", "a b", "", 0};
  char *variables[] = {"ONE=1", "TWO=", 0};
  pid_t child = fork();
  if (child != 0) return child;
  switch (how) {
    case 0: execve("/proc/self/exe", arguments, variables);
    case 1: fexecve(descriptor, arguments, variables);
    case 2: execl("/proc/self/exe", "short", "show", (char *)0);
  }
  _exit(errno);
}
int main(int count, char **arguments) {
  if (count > 1 && strcmp(arguments[1], "show") == 0) {
    show(count, arguments);
    return 42;
  }
  clearenv();
  setenv("KEPT", "yes", 1);
  int kept = open("/dev/null", O_RDONLY);
  int closed = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  int program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  say("%d %d %d\n", kept, closed, program);
  say("%d\n", ended(self(0, 0)));
  say("%d\n", ended(self(1, program)));
  say("%d\n", ended(self(2, 0)));
  char *nothing[] = {"x", 0};
  say("missing %d\n", failure(execv("/nowhere/at/all", nothing)) == ENOENT);
  say("directory %d\n", failure(execv("/usr", nothing)) == EACCES);
  say("no program %d\n", failure(execv("/etc/passwd", nothing)) == EACCES);
  char folder[] = "/tmp/execs-XXXXXX";
  mkdtemp(folder);
  chdir(folder);
  int script = open("script", O_CREAT | O_WRONLY, 0755);
  dprintf(script, "#! /bin/echo  one argument \nignored\n");
  close(script);
  script = open("text", O_CREAT | O_WRONLY, 0755);
  dprintf(script, "echo text run by the shell $0 $1\n");
  close(script);
  script = open("nested", O_CREAT | O_WRONLY, 0755);
  dprintf(script, "#!./script\n");
  close(script);
  pid_t child = fork();
  if (child == 0) _exit(execl("./script", "zero", "first", "second", (char *)0));
  say("script %d\n", ended(child));
  child = fork();
  if (child == 0) _exit(execl("./nested", "zero", "last", (char *)0));
  say("nested %d\n", ended(child));
  say("text %d\n", failure(execl("./text", "text", (char *)0)) == ENOEXEC);
  child = fork();
  if (child == 0) _exit(execlp("./text", "./text", "given", (char *)0));
  say("through the shell %d\n", ended(child));
  script = open("ELF", O_CREAT | O_WRONLY, 0755);
  dprintf(script, "\177ELF garbage");
  close(script);
  say("garbage %d\n", failure(execl("./ELF", "ELF", (char *)0)) == ENOEXEC);
  unlink("script");
  unlink("text");
  unlink("nested");
  unlink("ELF");
  rmdir(folder);
  return 0;
}
