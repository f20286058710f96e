/*
 * One file mapped twice: what is stored through one mapping is read, and run, through the other. ALIAS=0 goes through the first
 * mapping in place of the second everywhere, which is the same program on one memory.
 */
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long u64;

static long system_call(long number, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f) {
  long result;
  register u64 r10 __asm__("r10") = d;
  register u64 r8 __asm__("r8") = e;
  register u64 r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

#define NOINLINE __attribute__((noinline))
#define PAGE 4096ul
#define SHARED 1
#define FIXED 0x10

static volatile int alias = ALIAS;
static u64 checks = 14695981039346656037ul;
static void check(u64 value) { checks = (checks ^ value) * 1099511628211ul; }

static int file(u64 pages) {
  int fd = (int)system_call(319, (u64) "shared", 0, 0, 0, 0, 0);
  check(system_call(77, fd, pages * PAGE, 0, 0, 0, 0));
  return fd;
}
static u8 *map(int fd, u64 at, u64 pages, int protection, u64 offset) {
  return (u8 *)system_call(9, at, pages * PAGE, protection, at == 0 ? SHARED : SHARED | FIXED, fd, offset);
}
static u8 *other(u8 *first, u8 *second) { return alias ? second : first; }

/* Bytes, words and vectors, across pages and misaligned, with a value carried from one mapping to the other. */
NOINLINE static u64 pass(u8 *a, u8 *b) {
  u64 value = 1;
  for (u64 i = 0; i < 200; i++) {
    u64 at = i * 61 % (2 * PAGE - 16);
    *(volatile u64 *)(a + at) = value;
    value = *(volatile u64 *)(b + at) * 3 + 1;
    *(volatile u8 *)(b + at + 3) = (u8)value;
    value += *(volatile u32 *)(a + at + 1);
    *(volatile u32 *)(b + PAGE - 2) = (u32)value;
    value ^= *(volatile u64 *)(a + PAGE - 5);
  }
  return value;
}

NOINLINE static void copy(u8 *to, const u8 *from, u64 length) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(length) : : "memory");
}

/* lea rax, [rdi + n]; ret */
NOINLINE static u64 code(u8 *write, u8 *run) {
  u64 value = 0;
  for (u64 i = 1; i < 60; i++) {
    volatile u8 *at = write + PAGE - 40 + 5 * i;
    at[0] = 0x48; at[1] = 0x8d; at[2] = 0x47; at[3] = (u8)i; at[4] = 0xc3;
    for (int again = 0; again < 20; again++) value = ((u64(*)(u64))(run + PAGE - 40 + 5 * i))(value);
  }
  return value;
}

int main(void) {
  int fd = file(4);
  u8 *a = map(fd, 0, 3, 3, 0);
  a[7] = 9;
  /* What was only read shows what is stored at the other place from then on. */
  check(a[2 * PAGE + 9]);
  u8 *b = map(fd, 0, 3, 3, 0);
  other(a, b)[2 * PAGE + 9] = 5;
  check(a[2 * PAGE + 9]);
  check(pass(a, other(a, b)));
  check(pass(other(a, b), a));
  copy(other(a, b) + PAGE + 3000, a + 50, 2000);
  for (u64 i = 0; i < 3 * PAGE; i += 7) check(other(a, b)[i]);
  /* What the kernel writes, and what it reads. */
  check(system_call(18, fd, (u64) "kernel", 6, 20, 0, 0));
  check(a[20] + 3 * other(a, b)[21]);
  check(system_call(17, fd, (u64)(a + PAGE - 3), 6, 7, 0, 0));
  check(*(volatile u32 *)(other(a, b) + PAGE - 2));
  /* A third one, at another offset, and read only. */
  u8 *c = map(fd, 0, 2, 1, PAGE);
  a[PAGE + 5] = 77;
  check((alias ? c + 5 : a + PAGE + 5)[0]);
  /* Without the first one the second one stays. */
  u8 *rest = other(a, b);
  check(system_call(11, (u64)(alias ? a : b), 3 * PAGE, 0, 0, 0, 0));
  check(rest[7] + rest[PAGE + 5]);
  check(pass(rest, rest));

  /* Code that is written at one place and runs at another. */
  int text = file(3);
  u8 *run = map(text, 0, 3, 5, 0);
  u8 *write = map(text, 0, 3, 3, 0);
  check(system_call(10, (u64)run, 3 * PAGE, alias ? 5 : 7, 0, 0, 0));
  check(code(alias ? write : run, run));

  /* A ring that goes on behind its end. */
  int round = file(2);
  u8 *ring = (u8 *)system_call(9, 0, 4 * PAGE, 0, 0x22, -1, 0);
  map(round, (u64)ring, 2, 3, 0);
  map(round, (u64)ring + 2 * PAGE, 2, 3, 0);
  const u64 behind = alias ? 2 * PAGE : 0;
  u64 sum = 0;
  for (u64 i = 0; i < 300; i++) {
    u64 at = i * 377 % (2 * PAGE);
    *(volatile u64 *)(ring + at) = sum + i;
    sum += *(volatile u32 *)(ring + (at < PAGE ? behind : 0) + at + 2);
  }
  check(sum);

  char line[17];
  for (int i = 0; i < 16; i++) line[i] = "0123456789abcdef"[checks >> (60 - 4 * i) & 15];
  line[16] = '\n';
  system_call(1, 1, (u64)line, 17, 0, 0, 0);
  return 0;
}

__attribute__((naked)) void _start(void) {
  __asm__("xor %ebp, %ebp\n call main\n mov %eax, %edi\n mov $231, %eax\n syscall");
}
