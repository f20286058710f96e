/* corpus: uncounted apart:20000 -pthread */
/* threads.h and stdatomic.h: counters, flags, compare-exchange loops, fences. */
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>

static atomic_int counter;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static _Atomic double total;
static atomic_ullong mixed;
static atomic_long guarded;
static mtx_t mutex;
static int work(void *p) {
  int n = *(int *)p;
  for (int i = 1; i <= 300; i++) {
    atomic_fetch_add(&counter, n);
    double seen = atomic_load(&total);
    while (!atomic_compare_exchange_weak(&total, &seen, seen + n * 0.5)) {}
    atomic_fetch_xor(&mixed, (unsigned long long)n * (unsigned)i * 0x9e3779b97f4a7c15);
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) thrd_yield();
    guarded += n;
    atomic_flag_clear_explicit(&lock, memory_order_release);
    mtx_lock(&mutex), guarded--, mtx_unlock(&mutex);
  }
  atomic_thread_fence(memory_order_seq_cst);
  return n * 11;
}

int main(void) {
  thrd_t t[3];
  int arguments[] = {1, 2, 3}, results[3];
  mtx_init(&mutex, mtx_plain);
  for (int i = 0; i < 3; i++) thrd_create(&t[i], work, &arguments[i]);
  for (int i = 0; i < 3; i++) thrd_join(t[i], &results[i]);
  printf("%d %g %llx %d %d %d\n", counter, total, mixed, results[0], results[1], results[2]);
}
