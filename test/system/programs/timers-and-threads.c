/* Timers that tell threads: the C library's new thread for each expiry (SIGEV_THREAD), one that is named (SIGEV_THREAD_ID). */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int calls;
static volatile int where;
static pthread_t first;

static void notified(union sigval value) {
  pthread_mutex_lock(&lock);
  if (calls < 3) printf("told %d, by the first thread: %d\n", value.sival_int, pthread_equal(pthread_self(), first) != 0);
  calls++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

static void await(int count) {
  pthread_mutex_lock(&lock);
  while (calls < count) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}

static void handler(int signal, siginfo_t *info, void *context) {
  where = info->si_code == SI_TIMER && info->si_value.sival_int == 7 ? gettid() : -1;
}

static int ready[2], told[2];
static pid_t helper;
static void *waits(void *argument) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN + 2);
  helper = gettid();
  write(ready[1], "x", 1);
  siginfo_t info;
  printf("waited for %d, ", sigwaitinfo(&set, &info) - SIGRTMIN);
  printf("value %d, from a timer %d\n", info.si_value.sival_int, info.si_code == SI_TIMER);
  return NULL;
}
static void *handles(void *argument) {
  helper = gettid();
  write(ready[1], "x", 1);
  char byte;
  while (read(told[0], &byte, 1) < 0 && errno == EINTR) {}
  printf("handled by its thread: %d\n", where == gettid());
  return NULL;
}

int main(void) {
  first = pthread_self();
  pipe(ready);
  pipe(told);
  struct sigevent event = {0};
  timer_t timer, other;

  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = notified;
  event.sigev_value.sival_int = 5;
  printf("create %d\n", timer_create(CLOCK_MONOTONIC, &event, &timer));
  struct itimerspec once = {.it_value = {0, 1000000}}, often = {{0, 1000000}, {0, 1000000}}, never = {0};
  timer_settime(timer, 0, &once, NULL);
  await(1);
  timer_settime(timer, 0, &often, NULL);
  await(3);
  timer_settime(timer, 0, &never, NULL);
  printf("delete %d\n", timer_delete(timer));

  // The signal is blocked everywhere: it is there for the thread that is named, and for no other.
  sigset_t set, pending;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN + 2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  char byte;
  pthread_t thread;
  pthread_create(&thread, NULL, waits, NULL);
  read(ready[0], &byte, 1);
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGRTMIN + 2;
  event.sigev_value.sival_int = 6;
  event.sigev_notify_thread_id = helper;
  printf("create %d\n", timer_create(CLOCK_MONOTONIC, &event, &other));
  timer_settime(other, 0, &once, NULL);
  pthread_join(thread, NULL);
  // It has ended: nobody is told.
  timer_settime(other, 0, &once, NULL);
  nanosleep(&(struct timespec){0, 3000000}, NULL);
  sigpending(&pending);
  printf("pending %d\n", sigismember(&pending, SIGRTMIN + 2));

  // Neither is in the way of the other.
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, NULL);
  pthread_create(&thread, NULL, handles, NULL);
  read(ready[0], &byte, 1);
  event.sigev_signo = SIGUSR1;
  event.sigev_value.sival_int = 7;
  event.sigev_notify_thread_id = helper;
  printf("create %d\n", timer_create(CLOCK_MONOTONIC, &event, &other));
  timer_settime(other, 0, &once, NULL);
  while (where == 0) nanosleep(&(struct timespec){0, 1000000}, NULL);
  write(told[1], "x", 1);
  pthread_join(thread, NULL);

  event.sigev_notify_thread_id = 1;
  printf("another's thread %d", syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer));
  printf(" %d\n", errno);
  event.sigev_notify_thread_id = gettid();
  event.sigev_signo = 0;
  printf("no signal %d", syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer));
  printf(" %d\n", errno);
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_signo = SIGUSR2;
  printf("thread, to the kernel %ld\n", syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) >= 0 ? 0L : -1L);

  // Only to be read.
  for (int clock = CLOCK_MONOTONIC_RAW; clock <= CLOCK_MONOTONIC_COARSE; clock++) {
    printf("clock %d: %d", clock, timer_create(clock, NULL, &timer) < 0 ? errno : 0);
    printf(" %d\n", clock_nanosleep(clock, 0, &(struct timespec){0, 1}, NULL));
  }
  return 0;
}
