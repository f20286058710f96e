/* Single bytes, pairs and words in two pages, in no order, between what else may happen to pages. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;

static long system_call(long number, u64 a, u64 b, u64 c, u64 d) {
  long result;
  register u64 r10 __asm__("r10") = d;
  register u64 r8 __asm__("r8") = -1;
  register u64 r9 __asm__("r9") = 0;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

#define NOINLINE __attribute__((noinline))
#define PAGE 4096ul
#define SIZE (2 * PAGE)
#define NONE 0
#define READ 1
#define READ_WRITE 3

/* Numbers that depend on i alone. */
static u64 mixed(u64 i) { return i * 0x9e3779b97f4a7c15ul; }

static u64 later(u64 value) {
  for (int i = 0; i < 5; i++) value = value * 3 + 1;
  return value;
}

/* Sixteen places around the border of the pages. What is late comes from there and goes there. */
NOINLINE static void use(u8 *pages, u64 first, int times) {
  volatile u8 *at = pages + PAGE - 8;
  for (u64 i = first; i < first + times; i++) {
    u64 x = mixed(i);
    at[x >> 60] = (u8)later(at[x >> 56 & 15]);
    *(volatile u16 *)(at + (x >> 52) % 15) = (u16)later(*(volatile u16 *)(at + (x >> 48) % 15));
    at[x >> 44 & 15] += 3;
    if ((x >> 40 & 15) < 2) *(volatile u32 *)(at + (x >> 36) % 13) = (u32)x;
    if ((x >> 40 & 15) == 3) at[x >> 32 & 15] = (u8)*(volatile u64 *)(at + (x >> 28) % 9);
  }
}

/* How late each of them is is in the cycles of a call of its own. */
NOINLINE static int late(volatile u8 *byte) {
  u64 value = *byte;
  for (int i = 0; i < 40; i++) value = value * 3 + 1;
  return (int)(value & 1);
}

NOINLINE static int all(u8 *pages) {
  int sum = 0;
  for (u64 i = PAGE - 8; i < PAGE + 8; i++) sum += late(pages + i);
  return sum;
}

/* A byte between two words that are checked together, at whose store the page becomes bytewise. */
NOINLINE static void between(u8 *page, u64 value) {
  *(volatile u32 *)(page + 32) = 7;
  *(volatile u8 *)(page + 1) = (u8)value;
  *(volatile u32 *)(page + 36) = 9;
}

/* Each page's byte behind that is later than the one's before. */
NOINLINE static int chained(u8 *pages) {
  u64 value = 1;
  for (u64 i = 0; i < SIZE; i += PAGE) {
    *(volatile u32 *)(pages + i + 64) = 1;
    *(volatile u8 *)(pages + i + 65) = 1;
    between(pages + i, value);
    volatile u8 *byte = pages + i + 37;
    *byte = (u8)later(value);
    value = later(*byte);
    *byte = (u8)later(value);
    value = later(*byte);
  }
  return (int)(value & 1);
}

static u8 *map(void) { return (u8 *)system_call(9, 0, SIZE, READ_WRITE, 0x22); }
static void protect(u8 *at, u64 length, int protection) { system_call(10, (u64)at, length, protection, 0); }

int main(void) {
  int sum = 0;
  u8 *pages = map();
  for (u64 round = 0; round < 3; round++) {
    u64 i = 1000 * round;
    use(pages, i, 30);
    sum += all(pages);
    /* What was stored is as late as before when it can be read again. */
    protect(pages, SIZE, NONE);
    sum += (int)(later(round) & 1);
    protect(pages, SIZE, READ);
    sum += all(pages);
    protect(pages, SIZE, READ_WRITE);
    use(pages, i + 100, 20);
    protect(pages + PAGE, PAGE, NONE);
    protect(pages + PAGE, PAGE, READ_WRITE);
    use(pages, i + 200, 20);
    sum += all(pages);
    /* The kernel stores there: the time, which is not late. */
    for (int half = 0; half < 2; half++) system_call(228, 1, (u64)(pages + PAGE - 16 * half), 0, 0);
    sum += all(pages);
    use(pages, i + 300, 10);
    sum += all(pages);
    /* The bytes of one page are never written, then they are those of other pages. */
    system_call(28, (u64)pages, PAGE, 4, 0);
    use(pages, i + 400, 10);
    sum += all(pages);
    protect(pages, SIZE, NONE);
    u8 *moved = (u8 *)system_call(25, (u64)pages, SIZE, 2 * SIZE, 1);
    protect(moved, 2 * SIZE, READ_WRITE);
    sum += all(moved);
    use(moved, i + 500, 20);
    use(moved + PAGE, i + 600, 20);
    sum += all(moved);
    system_call(11, (u64)moved, 2 * SIZE, 0, 0);
    for (int again = 0; again < 8; again++) {
      pages = map();
      sum += chained(pages);
    }
    pages = map();
  }
  return sum;
}

__asm__(".globl _start\n_start:\n  call main\n  mov %eax, %edi\n  mov $231, %eax\n  syscall\n");
