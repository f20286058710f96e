/* corpus: not:musl */
/* Constructors by priority, atexit in reverse, destructors, exit from within, flushing of streams. */
#include <stdio.h>
#include <stdlib.h>

static int order;
__attribute__((constructor(200))) static void second(void) { printf("constructor 200, %d\n", order++); }
__attribute__((constructor(150))) static void first(void) { printf("constructor 150, %d\n", order++); }
__attribute__((constructor)) static void third(void) { printf("constructor, %d\n", order++); }
__attribute__((destructor)) static void last(void) { printf("destructor %d\n", order++); }
__attribute__((destructor(150))) static void very_last(void) { printf("destructor 150, %d\n", order++); }
static void handler(void) { printf("atexit %d\n", order++); }
static void with_status(int status, void *p) { printf("on_exit %d %s\n", status, (char *)p); }
static void registers_more(void) { puts("registers another"); atexit(handler); }

int main(void) {
  atexit(handler);
  atexit(registers_more);
  on_exit(with_status, "argument");
  atexit(handler);
  printf("main %d", order++);
  exit(41);
}
