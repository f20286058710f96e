/* corpus: uncounted -pthread */
/* Clocks of the processor: each thread has its own, which stands still while others run. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long rounds;
static volatile sig_atomic_t fired, stop;

static long now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

static long of_rusage(int who) {
  struct rusage usage;
  getrusage(who, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000L + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static void *work(void *times) {
  for (long i = 0; i < (long)times * 3000000; i++) rounds++;
  return (void *)now(CLOCK_THREAD_CPUTIME_ID);
}

static void on_signal(int signal) { fired++; }

static timer_t own_timer(long nanoseconds) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  const struct itimerspec when = {.it_value = {0, nanoseconds}};
  timer_t timer;
  timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer);
  timer_settime(timer, 0, &when, NULL);
  return timer;
}

static void *spin(void *unused) {
  while (!stop) rounds++;
  return NULL;
}

static void *sleep_with_timer(void *unused) {
  const timer_t timer = own_timer(3000000);
  usleep(10000);
  stop = 1;
  printf("while it slept: %d\n", (int)fired);
  timer_delete(timer);
  return NULL;
}

static void *work_with_timer(void *unused) {
  const timer_t timer = own_timer(3000000);
  while (!fired) rounds++;
  printf("while it worked: %d, after 3 ms: %d\n", (int)fired, now(CLOCK_THREAD_CPUTIME_ID) >= 3000000);
  timer_delete(timer);
  return NULL;
}

int main(void) {
  pthread_t few, many;
  void *of_few, *of_many;
  signal(SIGUSR1, on_signal);
  pthread_create(&few, NULL, work, (void *)1);
  pthread_create(&many, NULL, work, (void *)12);
  clockid_t clock;
  printf("its clock: %d\n", pthread_getcpuclockid(many, &clock));
  pthread_join(few, &of_few);
  pthread_join(many, &of_many);
  const long own = now(CLOCK_THREAD_CPUTIME_ID), all = now(CLOCK_PROCESS_CPUTIME_ID);
  printf("more work, more time: %d\n", (long)of_many > 2 * (long)of_few);
  printf("the first thread's is its own: %d\n", own < (long)of_few);
  printf("the process's is of all: %d\n", all >= (long)of_few + (long)of_many);
  printf("likewise getrusage: %d\n", of_rusage(RUSAGE_THREAD) < of_rusage(RUSAGE_SELF));
  struct timespec time;
  printf("a clock of nobody: %d\n", clock_gettime((~123456u << 3) | 6, &time));

  pthread_create(&few, NULL, spin, NULL);
  pthread_create(&many, NULL, sleep_with_timer, NULL);
  pthread_join(few, NULL);
  pthread_join(many, NULL);
  pthread_create(&few, NULL, work_with_timer, NULL);
  pthread_join(few, NULL);
  return 0;
}
