/* Arguments, environment, atexit handlers, constructors and destructors, and the exit status. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int started;
__attribute__((constructor(101))) static void first(void) { started = started * 10 + 1; }
__attribute__((constructor(102))) static void second(void) { started = started * 10 + 2; }
__attribute__((destructor)) static void last(void) { puts("destructor"); }
static void at_exit_1(void) { puts("at exit 1"); }
static void at_exit_2(void) { puts("at exit 2"); }

int main(int argc, char **argv) {
  atexit(at_exit_1);
  atexit(at_exit_2);
  printf("%d\n", started);
  for (int i = 1; i < argc; i++) printf("[%s]%zu\n", argv[i], strlen(argv[i]));
  const char *colour = getenv("COLOUR");
  printf("%s %s %d\n", colour ? colour : "(none)", getenv("LC_ALL"), getenv("HOME") == NULL);
  setenv("COLOUR", "blue", 1);
  putenv("SHAPE=round");
  unsetenv("LC_ALL");
  printf("%s %s %d\n", getenv("COLOUR"), getenv("SHAPE"), getenv("LC_ALL") == NULL);
  fprintf(stderr, "to standard error\n");
  exit(argc + 40);
}
