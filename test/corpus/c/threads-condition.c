/* corpus: uncounted -pthread */
/* A bounded queue between producers and consumers, a barrier, semaphores. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define N 400
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t sem;
static int queue[8], head, count, first;
static long sums[3];
static void *produce(void *p) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&m);
    while (count == 8) pthread_cond_wait(&not_full, &m);
    queue[(head + count++) % 8] = i;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&m);
  }
  return NULL;
}
static void *consume(void *p) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&m);
    while (count == 0) pthread_cond_wait(&not_empty, &m);
    *(long *)p += queue[head], head = (head + 1) % 8, count--;
    pthread_cond_broadcast(&not_full);
    pthread_mutex_unlock(&m);
  }
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) first++;
  sem_post(&sem);
  return NULL;
}

int main(void) {
  pthread_t t[6];
  pthread_barrier_init(&barrier, NULL, 3);
  sem_init(&sem, 0, 0);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, produce, NULL), pthread_create(&t[i + 3], NULL, consume, &sums[i]);
  for (int i = 0; i < 3; i++) sem_wait(&sem);
  for (int i = 0; i < 6; i++) pthread_join(t[i], NULL);
  printf("%ld %d %d\n", sums[0] + sums[1] + sums[2], first, count);
}
