/* corpus: uncounted -pthread not:musl */
/* Cancellation with cleanup handlers, detached threads, thread attributes. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, cleaned;
static void clean(void *p) { cleaned += *(int *)p; }
static void *wait_for_ever(void *p) {
  int seven = 7;
  pthread_cleanup_push(clean, &seven);
  pthread_mutex_lock(&m), ready = 1, pthread_cond_signal(&c), pthread_mutex_unlock(&m);
  for (;;) pause();
  pthread_cleanup_pop(0);
  return NULL;
}
static void *leave(void *p) {
  int one = 1;
  pthread_cleanup_push(clean, &one);
  pthread_exit((void *)5);
  pthread_cleanup_pop(0);
  return NULL;
}

int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, wait_for_ever, NULL);
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  pthread_cancel(t);
  pthread_join(t, &result);
  printf("%d %d\n", result == PTHREAD_CANCELED, cleaned);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 17);
  pthread_create(&t, &attributes, leave, NULL);
  pthread_join(t, &result);
  printf("%d %d\n", (int)(long)result, cleaned);
}
