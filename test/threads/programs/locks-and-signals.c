#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t robust, inherits, recursive, checked;
static sem_t ready;
static volatile sig_atomic_t caught;
static pthread_key_t key;
static int destroyed;

static void on_signal(int number) { caught = number; }
static void on_exit_of(void *value) { destroyed += *(int *)value; }

static void *dies_with_lock(void *unused) {
  pthread_mutex_lock(&robust);
  return unused;
}
static void *takes_turns(void *rounds) {
  for (long i = 0; i < (long)rounds; i++) {
    pthread_mutex_lock(&inherits);
    sched_yield();
    pthread_mutex_unlock(&inherits);
  }
  return NULL;
}
static void cleaned(void *text) { puts(text); }
static void *is_cancelled(void *unused) {
  pthread_cleanup_push(cleaned, "cleaned up");
  sem_post(&ready);
  for (;;) pause();
  pthread_cleanup_pop(0);
  return unused;
}
static void *waits_for_signal(void *unused) {
  sem_post(&ready);
  while (caught == 0) usleep(1000);
  return unused;
}
static void *spins_for_signal(void *unused) {
  sem_post(&ready);
  while (caught == 0) ;
  return unused;
}
static void *takes_signal(void *set) {
  int number = 0;
  sem_post(&ready);
  sigwait(set, &number);
  return (void *)(long)number;
}
static void *has_value(void *value) {
  pthread_setspecific(key, value);
  return value;
}
static void *names_itself(void *unused) {
  char name[16];
  pthread_setname_np(pthread_self(), "named");
  pthread_getname_np(pthread_self(), name, sizeof name);
  printf("%s\n", name);
  return unused;
}

int main(void) {
  pthread_t thread, other;
  pthread_mutexattr_t attributes;
  sem_init(&ready, 0, 0);
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&robust, &attributes);
  pthread_create(&thread, NULL, dies_with_lock, NULL);
  pthread_join(thread, NULL);
  printf("robust %s\n", strerror(pthread_mutex_lock(&robust)));
  printf("consistent %d\n", pthread_mutex_consistent(&robust));
  pthread_mutex_unlock(&robust);

  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  pthread_mutex_init(&inherits, &attributes);
  pthread_create(&thread, NULL, takes_turns, (void *)50);
  pthread_create(&other, NULL, takes_turns, (void *)70);
  takes_turns((void *)60);
  pthread_join(thread, NULL);
  pthread_join(other, NULL);
  puts("turns taken");

  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_nsec += 5000000;
  if (soon.tv_nsec >= 1000000000) soon.tv_sec++, soon.tv_nsec -= 1000000000;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_mutex_lock(&recursive);
  printf("recursive %d\n", pthread_mutex_lock(&recursive));
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &attributes);
  pthread_mutex_lock(&checked);
  printf("checked %s\n", strerror(pthread_mutex_lock(&checked)));
  pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  pthread_mutex_lock(&plain);
  printf("timed wait %s\n", strerror(pthread_cond_timedwait(&never, &plain, &soon)));
  printf("timed lock %s\n", strerror(pthread_mutex_timedlock(&plain, &soon)));

  pthread_create(&thread, NULL, is_cancelled, NULL);
  sem_wait(&ready);
  pthread_cancel(thread);
  void *result;
  pthread_join(thread, &result);
  printf("cancelled %d\n", result == PTHREAD_CANCELED);

  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGUSR1, &action, NULL);
  pthread_create(&thread, NULL, waits_for_signal, NULL);
  sem_wait(&ready);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
  printf("caught %d\n", caught == SIGUSR1);
  caught = 0;
  pthread_create(&thread, NULL, spins_for_signal, NULL);
  sem_wait(&ready);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
  printf("caught while it spun %d\n", caught == SIGUSR1);

  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&thread, NULL, takes_signal, &set);
  sem_wait(&ready);
  kill(getpid(), SIGUSR2);
  pthread_join(thread, &result);
  printf("taken %d\n", (long)result == SIGUSR2);

  int values[3] = {1, 10, 100};
  pthread_key_create(&key, on_exit_of);
  for (int i = 0; i < 3; i++) {
    pthread_create(&thread, NULL, has_value, &values[i]);
    pthread_join(thread, NULL);
  }
  printf("destroyed %d\n", destroyed);
  pthread_create(&thread, NULL, names_itself, NULL);
  pthread_join(thread, NULL);
  fflush(stdout);
  pthread_exit(NULL);
}
