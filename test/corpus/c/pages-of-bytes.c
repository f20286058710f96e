/* Pages of which single bytes are stored, in no order, before whatever else may happen to a page. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096
#define PAGES 8

static sigjmp_buf out;
static uintptr_t faulted;

static void handler(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)context;
  faulted = (uintptr_t)info->si_addr;
  siglongjmp(out, 1);
}

static uint64_t random_state = 88172645463325252u;
static uint64_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

/* Stores bytes and pairs, and loads them. */
static __attribute__((noinline)) uint64_t put(uint8_t *bytes, size_t size, long times) {
  uint64_t sum = 0;
  for (long i = 0; i < times; i++) {
    uint64_t x = next_random();
    bytes[x % size] ^= (uint8_t)(x >> 40);
    sum += bytes[(x >> 20) % size];
    if (x >> 60 == 1) memcpy(bytes + (x >> 13) % (size - 1), &x, 2);
  }
  return sum;
}

static __attribute__((noinline)) void store_one(volatile uint8_t *at, uint8_t value) { *at = value; }

static uint64_t sum_of(const uint8_t *bytes, size_t size) {
  uint64_t sum = 0;
  for (size_t i = 0; i < size; i += 8) {
    uint64_t word;
    memcpy(&word, bytes + i, 8);
    sum = sum * 31 + word;
  }
  return sum;
}

static uint8_t *map(int protection) {
  return mmap(NULL, PAGES * PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int main(void) {
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigaction(SIGSEGV, &action, NULL);
  const size_t size = PAGES * PAGE;
  uint8_t *bytes = map(PROT_READ | PROT_WRITE);
  for (int round = 0; round < 3; round++) {
    printf("%lu\n", (unsigned long)put(bytes, size, 200000));

    mprotect(bytes + 3 * PAGE, PAGE, PROT_READ);
    faulted = 0;
    if (!sigsetjmp(out, 1)) store_one(bytes + 3 * PAGE + 77, 1);
    printf("read only: %ld\n", faulted ? (long)(faulted - (uintptr_t)bytes) : -1);
    mprotect(bytes + 3 * PAGE, PAGE, PROT_NONE);
    faulted = 0;
    if (!sigsetjmp(out, 1)) printf("%d\n", *(volatile uint8_t *)(bytes + 3 * PAGE + 78));
    printf("no access: %ld\n", faulted ? (long)(faulted - (uintptr_t)bytes) : -1);
    mprotect(bytes + 3 * PAGE, PAGE, PROT_READ | PROT_WRITE);
    store_one(bytes + 3 * PAGE + 77, 5);
    printf("%lu\n", (unsigned long)sum_of(bytes, size));

    memset(bytes + PAGE, round, PAGE);
    printf("%lu %lu\n", (unsigned long)put(bytes, size, 20000), (unsigned long)sum_of(bytes, size));

    int ends[2];
    if (pipe(ends) != 0) return 1;
    char text[300];
    memset(text, 'a' + round, sizeof text);
    if (write(ends[1], text, sizeof text) != sizeof text) return 1;
    if (read(ends[0], bytes + 2 * PAGE - 150, sizeof text) != sizeof text) return 1;
    printf("%lu\n", (unsigned long)put(bytes, size, 1000));

    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      printf("child: %lu %lu\n", (unsigned long)put(bytes, size, 30000), (unsigned long)sum_of(bytes, size));
      fflush(stdout);
      _exit(0);
    }
    waitpid(child, NULL, 0);
    close(ends[0]);
    close(ends[1]);
    printf("%lu\n", (unsigned long)sum_of(bytes, size));

    madvise(bytes + 5 * PAGE, PAGE, MADV_DONTNEED);
    printf("%d %lu\n", bytes[5 * PAGE + 9], (unsigned long)put(bytes, size, 5000));
    uint8_t *moved = mremap(bytes, size, 2 * size, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) return 1;
    printf("%lu %lu\n", (unsigned long)put(moved, 2 * size, 100000), (unsigned long)sum_of(moved, size));
    munmap(moved, 2 * size);
    bytes = map(PROT_READ | PROT_WRITE);
    printf("%lu\n", (unsigned long)sum_of(bytes, size));
  }

  /* Code that is written byte by byte, in no order, executed, and changed by one byte: mov eax, N; ret. */
  uint8_t *code = map(PROT_READ | PROT_WRITE | PROT_EXEC);
  put(code, PAGE, 100000);
  for (int n = 0; n < 5; n++) {
    static const uint8_t text[] = {0xb8, 1, 0, 0, 0, 0xc3};
    for (int i = 5; i >= 0; i--) store_one(code + 100 + i, text[i]);
    int first = ((int (*)(void))(code + 100))();
    store_one(code + 101, (uint8_t)(n + 40));
    int second = ((int (*)(void))(code + 100))();
    put(code + 2000, 2000, 20000);
    printf("%d %d\n", first, second);
  }
  return 0;
}
