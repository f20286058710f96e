/* corpus: uncounted -pthread not:musl */
/* Signals to threads: pthread_kill, masks inherited, sigwait. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static __thread int mine;
static volatile int handled;
static void on(int s) { mine = s; handled++; }
static void *waiter(void *p) {
  sigset_t set;
  int s = 0;
  sigemptyset(&set), sigaddset(&set, SIGUSR2);
  sigwait(&set, &s);
  return (void *)(long)s;
}
static void *target(void *p) {
  sigset_t set;
  sigemptyset(&set), sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  while (mine == 0) usleep(100);
  return (void *)(long)mine;
}

int main(void) {
  sigset_t set;
  sigemptyset(&set), sigaddset(&set, SIGUSR1), sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  signal(SIGUSR1, on);
  pthread_t a, b;
  void *r;
  pthread_create(&a, NULL, waiter, NULL), pthread_create(&b, NULL, target, NULL);
  pthread_kill(b, SIGUSR1);
  pthread_join(b, &r);
  printf("%ld %d %d\n", (long)r, mine, handled);
  pthread_kill(a, SIGUSR2);
  pthread_join(a, &r);
  printf("%ld %d\n", (long)r, handled);
}
