/* A thread whose sleep ends while another process runs. */
#include "common.h"
#include <pthread.h>

static void *sleeper(void *unused) {
  struct timespec time = {0, 1500000};
  nanosleep(&time, 0);
  puts("slept");
  return unused;
}

static void spin(void) {
  for (volatile int i = 0; i < 1000000; i++) {
  }
}

int main(void) {
  setvbuf(stdout, 0, _IONBF, 0);
  pid_t child = fork();
  if (child == 0) {
    spin();
    _exit(3);
  }
  pthread_t thread;
  pthread_create(&thread, 0, sleeper, 0);
  spin();
  pthread_join(thread, 0);
  int status;
  waitpid(child, &status, 0);
  printf("%d\n", WEXITSTATUS(status));
  return 0;
}
