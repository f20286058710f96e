/* Locks and semaphores that several processes have in common: with a name, in shared memory, in a file. */
#include "common.h"
#include <pthread.h>
#include <semaphore.h>

static void *shared(size_t size) { return mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); }

static void named(void) {
  char name[40];
  snprintf(name, sizeof name, "/ilp-gate-%d", getpid());
  sem_t *semaphore = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
  sem_t *other = sem_open(name, 0);
  sem_unlink(name);
  if (fork() == 0) {
    usleep(500);
    puts("posts");
    sem_post(other);
    _exit(0);
  }
  sem_wait(semaphore);
  puts("posted");
  wait(0);
}

struct counted {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  pthread_barrier_t barrier;
  int turn, sum;
};

static void in_turn(struct counted *common, int own, int of) {
  for (int i = 0; i < 4; i++) {
    pthread_mutex_lock(&common->mutex);
    while (common->turn % of != own) pthread_cond_wait(&common->changed, &common->mutex);
    printf("turn %d of %d\n", common->turn++, own);
    pthread_cond_broadcast(&common->changed);
    pthread_mutex_unlock(&common->mutex);
  }
  for (int i = 0; i < 2000; i++) {
    pthread_mutex_lock(&common->mutex);
    common->sum += own + 1;
    if (i % 256 == 0) sched_yield();
    pthread_mutex_unlock(&common->mutex);
  }
  pthread_barrier_wait(&common->barrier);
}

static void locks(struct counted *common) {
  pthread_mutexattr_t of_mutex;
  pthread_condattr_t of_condition;
  pthread_barrierattr_t of_barrier;
  pthread_mutexattr_init(&of_mutex);
  pthread_condattr_init(&of_condition);
  pthread_barrierattr_init(&of_barrier);
  pthread_mutexattr_setpshared(&of_mutex, PTHREAD_PROCESS_SHARED);
  pthread_condattr_setpshared(&of_condition, PTHREAD_PROCESS_SHARED);
  pthread_barrierattr_setpshared(&of_barrier, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&common->mutex, &of_mutex);
  pthread_cond_init(&common->changed, &of_condition);
  pthread_barrier_init(&common->barrier, &of_barrier, 3);
  for (int child = 1; child < 3; child++)
    if (fork() == 0) {
      in_turn(common, child, 3);
      _exit(0);
    }
  in_turn(common, 0, 3);
  while (wait(0) > 0) {
  }
  printf("sum %d\n", common->sum);
}

static void *waiter(void *semaphore) {
  sem_wait(semaphore);
  puts("a thread was woken by a child");
  return 0;
}

static void waiting_before_fork(void) {
  sem_t *semaphore = shared(4096);
  sem_init(semaphore, 1, 0);
  pthread_t thread;
  pthread_create(&thread, 0, waiter, semaphore);
  usleep(500);
  if (fork() == 0) {
    sem_post(semaphore);
    _exit(0);
  }
  pthread_join(thread, 0);
  wait(0);
}

int main(void) {
  setvbuf(stdout, 0, _IONBF, 0);
  named();
  locks(shared(4096));
  int file = open("locks", O_RDWR | O_CREAT | O_TRUNC, 0600);
  ftruncate(file, 8192);
  locks((struct counted *)((char *)mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) + 4096));
  waiting_before_fork();
  return 0;
}
