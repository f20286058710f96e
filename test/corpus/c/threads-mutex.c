/* corpus: uncounted apart:20000 -pthread */
/* Mutexes, recursive and error-checking, read-write locks, spin locks, once. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, recursive;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static long counters[4];
static int initialised;
static void initialise(void) { initialised++; }
static void *work(void *p) {
  pthread_once(&once, initialise);
  for (int i = 0; i < 500; i++) {
    pthread_mutex_lock(&plain); counters[0]++; pthread_mutex_unlock(&plain);
    pthread_mutex_lock(&recursive); pthread_mutex_lock(&recursive); counters[1]++; pthread_mutex_unlock(&recursive); pthread_mutex_unlock(&recursive);
    if (i % 10 == 0) { pthread_rwlock_wrlock(&rw); counters[2]++; } else pthread_rwlock_rdlock(&rw);
    pthread_rwlock_unlock(&rw);
    pthread_spin_lock(&spin); counters[3] += i; pthread_spin_unlock(&spin);
  }
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&recursive, &attributes);
  pthread_spin_init(&spin, 0);
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  printf("%ld %ld %ld %ld %d\n", counters[0], counters[1], counters[2], counters[3], initialised);
  pthread_mutex_t checked;
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &attributes);
  printf("%d %d %d\n", pthread_mutex_lock(&checked), pthread_mutex_lock(&checked) == EDEADLK, pthread_mutex_trylock(&checked) == EBUSY);
}
