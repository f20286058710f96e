#include "common.h"
#include <pthread.h>
#include <semaphore.h>

/* Processes that wait for each other by words in memory that they share. */

struct together {
  sem_t to_child, to_parent;
  pthread_mutex_t mutex, robust;
  pthread_cond_t condition;
  int turn, sum;
};

static void *shared(size_t size) {
  return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static void *lock_and_end(void *mutex) {
  pthread_mutex_lock(mutex);
  return NULL;
}

/* Robust mutexes beyond the addresses of 32 bits, whose owners are threads. */
static void far_locks(void) {
  pthread_mutex_t *far = mmap((void *)0x123456000000, 4096, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  for (int shared = 0; shared < 2; shared++) {
    pthread_mutexattr_setpshared(&attributes, shared);
    pthread_mutex_init(&far[shared], &attributes);
    pthread_t owner;
    pthread_create(&owner, NULL, lock_and_end, &far[shared]);
    pthread_join(owner, NULL);
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    say("owner died far away %d\n", pthread_mutex_timedlock(&far[shared], &soon) == EOWNERDEAD);
  }
}

int main(void) {
  alarm(20);
  struct together *all = shared(sizeof *all);
  sem_init(&all->to_child, 1, 0);
  sem_init(&all->to_parent, 1, 0);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&all->mutex, &attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&all->robust, &attributes);
  pthread_condattr_t condition;
  pthread_condattr_init(&condition);
  pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&all->condition, &condition);

  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 3; i++) {
      sem_wait(&all->to_child);
      say("child %d\n", i);
      sem_post(&all->to_parent);
    }
    _exit(0);
  }
  for (int i = 0; i < 3; i++) {
    usleep(2000);
    say("parent %d\n", i);
    sem_post(&all->to_child);
    sem_wait(&all->to_parent);
  }
  say("ended %d\n", ended(child));

  pid_t children[4];
  for (int i = 0; i < 4; i++)
    if ((children[i] = fork()) == 0) {
      for (int k = 0; k < 2000; k++) {
        pthread_mutex_lock(&all->mutex);
        all->sum++;
        pthread_mutex_unlock(&all->mutex);
      }
      pthread_mutex_lock(&all->mutex);
      while (all->turn != i) pthread_cond_wait(&all->condition, &all->mutex);
      all->turn++;
      say("turn of %d\n", i);
      pthread_cond_broadcast(&all->condition);
      pthread_mutex_unlock(&all->mutex);
      _exit(0);
    }
  for (int i = 0; i < 4; i++) ended(children[i]);
  say("sum %d\n", all->sum);

  child = fork();
  if (child == 0) {
    pthread_mutex_lock(&all->robust);
    _exit(0);
  }
  ended(child);
  say("owner died %d\n", pthread_mutex_lock(&all->robust) == EOWNERDEAD);
  pthread_mutex_consistent(&all->robust);
  pthread_mutex_unlock(&all->robust);

  child = fork();
  if (child == 0) {
    pthread_mutex_lock(&all->robust);
    sem_post(&all->to_parent);
    usleep(20000);
    _exit(0);
  }
  sem_wait(&all->to_parent);
  say("owner died meanwhile %d\n", pthread_mutex_lock(&all->robust) == EOWNERDEAD);

  sem_unlink("/ilp-gate-test");
  sem_t *named = sem_open("/ilp-gate-test", O_CREAT | O_EXCL, 0600, 0);
  say("named %d\n", named != SEM_FAILED);
  child = fork();
  if (child == 0) {
    sem_t *same = sem_open("/ilp-gate-test", 0);
    usleep(5000);
    say("posts\n");
    sem_post(same);
    _exit(0);
  }
  sem_wait(named);
  say("posted\n");
  ended(child);
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec++;
  say("late %d\n", failure(sem_timedwait(named, &soon)));
  sem_unlink("/ilp-gate-test");
  far_locks();
}
