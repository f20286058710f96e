#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Condition variables whose waiters get a lock with an owner. */

static uint32_t condition, lock_word;

static long futex(uint32_t *word, int operation, long value, void *fourth, uint32_t *other, uint32_t last) {
  long result = syscall(SYS_futex, word, operation, value, fourth, other, last);
  return result < 0 ? -errno : result;
}

static long lock(void) { return futex(&lock_word, FUTEX_LOCK_PI, 0, NULL, NULL, 0); }
static long unlock(void) { return futex(&lock_word, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0); }

static volatile int waiting, got[8], order;

static void *waiter(void *argument) {
  long index = (long)argument;
  uint32_t seen = condition;
  __atomic_add_fetch(&waiting, 1, __ATOMIC_SEQ_CST);
  long result = futex(&condition, FUTEX_WAIT_REQUEUE_PI, seen, NULL, &lock_word, 0);
  got[index] = result == 0 && (lock_word & FUTEX_TID_MASK) == gettid();
  order++;
  if (result == 0) unlock();
  return (void *)result;
}

int main(void) {
  pthread_t threads[4];
  setvbuf(stdout, NULL, _IONBF, 0);
  printf("wrong value %ld\n", futex(&condition, FUTEX_WAIT_REQUEUE_PI, 7, NULL, &lock_word, 0));
  printf("same word %ld\n", futex(&condition, FUTEX_WAIT_REQUEUE_PI, 0, NULL, &condition, 0));
  struct timespec past;
  clock_gettime(CLOCK_MONOTONIC, &past);
  printf("too late %ld\n", futex(&condition, FUTEX_WAIT_REQUEUE_PI, 0, &past, &lock_word, 0));
  printf("nobody %ld\n", futex(&condition, FUTEX_CMP_REQUEUE_PI, 1, (void *)10, &lock_word, 0));
  printf("changed %ld\n", futex(&condition, FUTEX_CMP_REQUEUE_PI, 1, (void *)10, &lock_word, 5));
  printf("two at once %ld\n", futex(&condition, FUTEX_CMP_REQUEUE_PI, 2, (void *)10, &lock_word, 0));
  for (long i = 0; i < 4; i++) pthread_create(threads + i, NULL, waiter, (void *)i);
  while (waiting < 4) usleep(1000);
  usleep(20000);
  lock();
  condition++;
  printf("moved %ld\n", futex(&condition, FUTEX_CMP_REQUEUE_PI, 1, (void *)10, &lock_word, 1));
  printf("waits %d, nobody through %d\n", (lock_word & FUTEX_WAITERS) != 0, order);
  unlock();
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  printf("had the lock %d %d %d %d\n", got[0], got[1], got[2], got[3]);
  printf("free %x\n", lock_word);

  /* The lock is free: the first one has it at once. */
  waiting = order = 0;
  pthread_create(threads, NULL, waiter, (void *)5);
  while (waiting < 1) usleep(1000);
  usleep(20000);
  printf("moved %ld\n", futex(&condition, FUTEX_CMP_REQUEUE_PI, 1, (void *)0, &lock_word, 1));
  pthread_join(threads[0], NULL);
  printf("had the lock %d\n", got[5]);

  /* POSIX threads on top of it. */
  pthread_mutexattr_t attributes;
  pthread_mutex_t mutex;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  pthread_mutex_init(&mutex, &attributes);
  printf("mutex %d", pthread_mutex_lock(&mutex));
  printf(" %d", pthread_mutex_trylock(&mutex));
  printf(" %d\n", pthread_mutex_unlock(&mutex));
}
