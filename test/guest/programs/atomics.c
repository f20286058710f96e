/* Atomic operations of one thread: exchange, compare and swap, fetch and add of every width; volatile accesses. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static _Atomic uint8_t a8;
static _Atomic uint16_t a16;
static _Atomic uint32_t a32;
static _Atomic uint64_t a64;
static volatile int device;

int main(void) {
  uint64_t digest = 0;
  for (unsigned i = 1; i < 100; i++) {
    digest = digest * 31 + atomic_fetch_add(&a8, (uint8_t)(i * 3));
    digest = digest * 31 + atomic_fetch_sub(&a16, (uint16_t)(i * 7));
    digest = digest * 31 + atomic_exchange(&a32, i * 2654435761u);
    digest = digest * 31 + atomic_fetch_xor(&a64, (uint64_t)i << 33 | i);
    digest = digest * 31 + atomic_fetch_or(&a8, 5);
    digest = digest * 31 + atomic_fetch_and(&a16, 0x7fff);
    uint64_t expected = i % 3 == 0 ? 0 : atomic_load(&a64);
    digest = digest * 31 + atomic_compare_exchange_strong(&a64, &expected, expected + i) + expected;
    atomic_thread_fence(memory_order_seq_cst);
    device = device + (int)i;
    device ^= device >> 3;
  }
  printf("%llx %u %u %u %llx %d\n", (unsigned long long)digest, a8, a16, a32, (unsigned long long)a64, device);
  return 0;
}
