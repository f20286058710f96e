/* The environment: getenv, setenv, putenv, unsetenv, clearenv; arguments; sysconf. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv) {
  printf("%d %s %s\n", argc, getenv("LC_ALL"), getenv("NOTHING") ? "?" : "none");
  setenv("ADDED", "first", 1), setenv("ADDED", "second", 0);
  printf("%s ", getenv("ADDED"));
  char text[] = "PUT=here";
  putenv(text);
  text[4] = 'H';
  printf("%s ", getenv("PUT"));
  unsetenv("ADDED");
  printf("%d ", getenv("ADDED") == NULL);
  clearenv();
  setenv("ONE", "1", 1), setenv("TWO", "2", 1);
  int n = 0;
  for (char **e = environ; *e; e++) n += (int)strlen(*e);
  printf("%d %ld %d %d\n", n, sysconf(_SC_PAGESIZE), getpid() == getpid(), strlen(program_invocation_short_name) > 3);
}
