/* corpus: uncounted not:Ofast */
/* Interval timers and alarms interrupt a loop; only how often is printed. */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int ticks;
static void tick(int s) { ticks++; }

int main(void) {
  signal(SIGALRM, tick), signal(SIGVTALRM, tick);
  struct itimerval timer = {{0, 2000}, {0, 2000}}, left;
  setitimer(ITIMER_REAL, &timer, NULL);
  while (ticks < 5) {}
  timer = (struct itimerval){{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &timer, &left);
  printf("%d %d\n", ticks >= 5, left.it_interval.tv_usec == 2000);
  ticks = 0;
  timer.it_value.tv_usec = 3000;
  setitimer(ITIMER_VIRTUAL, &timer, NULL);
  while (ticks < 1) {}
  printf("%d\n", ticks);
  alarm(1);
  printf("%u\n", alarm(0));
  timer_t id;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
  printf("%d\n", timer_create(CLOCK_MONOTONIC, &event, &id));
  timer_settime(id, 0, &(struct itimerspec){{0, 0}, {0, 1000000}}, NULL);
  while (ticks < 2) {}
  printf("%d %d\n", ticks, timer_delete(id));
  struct timespec nap = {0, 1000000};
  printf("%d\n", nanosleep(&nap, NULL));
}
