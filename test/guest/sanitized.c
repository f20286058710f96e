#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int counted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
  int *shared = argument;
  for (int i = 0; i < 500; i++) {
    __atomic_fetch_add(shared, 1, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&lock);
    counted += i & 1;
    pthread_mutex_unlock(&lock);
  }
  char *own = malloc(1000);
  memset(own, *shared & 7, 1000);
  free(own);
  return NULL;
}

int main(int argc, char **argv) {
  int shared = 0;
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &shared);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  char *text = malloc(100);
  for (int i = 0; i < 100; i++) text[i] = (char)i;
  printf("%d %d %d\n", shared, counted, text[50]);
  fflush(stdout);
  /* What each sanitizer is for, when there is an argument. */
  if (argc > 1) {
    int number = atoi(argv[1]);
    printf("%d\n", number + 0x7fffffff < number);
    free(text);
    printf("%d\n", text[number]);
  }
  free(text);
  return 0;
}
