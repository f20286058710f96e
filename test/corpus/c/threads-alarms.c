/* corpus: uncounted -pthread */
/* Timers that expire while one thread never makes a system call: who waits takes the signal, or what the descriptor holds. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t stop, handled;
static volatile unsigned long rounds;

static void on_signal(int signal) {
  handled++;
  stop = 1;
}

static void *spin(void *unused) {
  while (!stop) rounds++;
  return NULL;
}

static void alarm_soon(long interval) {
  const struct itimerval soon = {{0, interval}, {0, 5000}};
  setitimer(ITIMER_REAL, &soon, NULL);
}

static void *take_signal(void *set) {
  int signal = 0;
  sigwait(set, &signal);
  stop = signal == SIGALRM;
  return NULL;
}

static int timer_descriptor(void) {
  const struct itimerspec soon = {{0, 0}, {0, 5000000}};
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  timerfd_settime(timer, 0, &soon, NULL);
  return timer;
}

static void *read_timer(void *unused) {
  uint64_t times = 0;
  stop = read(timer_descriptor(), &times, 8) == 8 && times == 1;
  return NULL;
}

static void *poll_timer(void *unused) {
  struct pollfd wanted = {timer_descriptor(), POLLIN, 0};
  stop = poll(&wanted, 1, -1) == 1;
  return NULL;
}

/* The first thread spins, another one waits. */
static void beside(const char *what, void *(*waits)(void *), void *argument) {
  pthread_t thread;
  stop = 0;
  pthread_create(&thread, NULL, waits, argument);
  usleep(1000);
  if (waits == take_signal) alarm_soon(0);
  spin(NULL);
  pthread_join(thread, NULL);
  printf("%s: %d\n", what, (int)stop);
}

int main(void) {
  pthread_t thread;
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGALRM, &action, NULL);

  pthread_create(&thread, NULL, spin, NULL);
  alarm_soon(0);
  pthread_join(thread, NULL);
  printf("in pthread_join: %d\n", (int)handled);

  stop = handled = 0;
  pthread_create(&thread, NULL, spin, NULL);
  alarm_soon(0);
  pause();
  pthread_join(thread, NULL);
  printf("in pause: %d\n", (int)handled);

  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  beside("in sigwait", take_signal, &set);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  beside("in read", read_timer, NULL);
  beside("in poll", poll_timer, NULL);

  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGALRM, SIG_DFL);
    stop = 0;
    pthread_create(&thread, NULL, spin, NULL);
    alarm_soon(0);
    pthread_join(thread, NULL);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  printf("without a handler: %s\n", WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "not ended by it");
  return 0;
}
