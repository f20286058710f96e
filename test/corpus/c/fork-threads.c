/* corpus: uncounted apart:10000 -pthread */
/* A child of a process with a thread; shared memory and signals between processes. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *shared;
static volatile sig_atomic_t asked;
static void on(int s) { asked = s; }
static void *work(void *p) { for (int i = 0; i < 1000; i++) ((long *)p)[0] += i; return NULL; }

int main(void) {
  shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  long sum = 0;
  pthread_t t;
  pthread_create(&t, NULL, work, &sum);
  pthread_join(t, NULL);
  signal(SIGUSR1, on);
  pid_t child = fork();
  if (child == 0) {
    pthread_create(&t, NULL, work, &sum);
    pthread_join(t, NULL);
    shared[0] = (int)sum;
    shared[1] = 1;
    while (!asked) usleep(100);
    _exit(asked);
  }
  while (!shared[1]) usleep(100);
  kill(child, SIGUSR1);
  int status;
  waitpid(child, &status, 0);
  printf("%ld %d %d\n", sum, shared[0], WEXITSTATUS(status));
}
