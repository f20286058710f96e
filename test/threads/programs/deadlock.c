#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void *other(void *unused) {
  pthread_mutex_lock(&b);
  pthread_barrier_wait(&both);
  pthread_mutex_lock(&a);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&both, NULL, 2);
  pthread_mutex_lock(&a);
  pthread_create(&thread, NULL, other, NULL);
  pthread_barrier_wait(&both);
  pthread_mutex_lock(&b);
  return 0;
}
