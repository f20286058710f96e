/* Atomic operations of every width and memory order in one thread. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define EACH(T, F)                                                                                  \
  do {                                                                                              \
    _Atomic T a = (T)0x123456789abcdef0;                                                            \
    T e = 5, r[8];                                                                                  \
    r[0] = atomic_fetch_add(&a, (T)300); r[1] = atomic_fetch_sub_explicit(&a, 7, memory_order_relaxed); \
    r[2] = atomic_fetch_or(&a, 0x41); r[3] = atomic_fetch_and(&a, (T)~6ull); r[4] = atomic_fetch_xor(&a, 0x7f); \
    r[5] = atomic_exchange(&a, 99); int no = atomic_compare_exchange_strong(&a, &e, 1);             \
    int yes = atomic_compare_exchange_strong(&a, &e, 77); r[6] = e; r[7] = a;                       \
    for (int i = 0; i < 8; i++) printf("%llx ", (unsigned long long)r[i]);                          \
    printf("%d %d %d\n", no, yes, atomic_is_lock_free(&a));                                         \
  } while (0)

int main(void) {
  EACH(uint8_t, 1); EACH(int16_t, 1); EACH(uint32_t, 1); EACH(int64_t, 1);
  int n = 4;
  printf("%d %d %d\n", __sync_fetch_and_nand(&n, 6), __sync_val_compare_and_swap(&n, -5, 3), __sync_lock_test_and_set(&n, 8));
  _Bool flag = 0;
  printf("%d %d %d\n", __atomic_test_and_set(&flag, __ATOMIC_ACQ_REL), flag, __atomic_fetch_nand(&n, 12, __ATOMIC_SEQ_CST));
  int *p = &n;
  int *q = atomic_exchange((_Atomic(int *) *)&p, NULL);
  printf("%d %d\n", *q, p == NULL);
}
