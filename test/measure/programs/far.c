/* Memory at addresses that only a 64-bit program has: reservations of terabytes, fixed places, mappings that come and go. */
#define NULL 0
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long u64;

#define PROT_NONE 0
#define PROT_RW 3
#define PRIVATE_ANONYMOUS 0x22
#define FIXED 0x10
#define NORESERVE 0x4000

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

static u8 *map(u64 at, u64 length, int protection, int flags) {
  return (u8 *)system_call(9, at, length, protection, PRIVATE_ANONYMOUS | flags, -1, 0);
}
static long protect(u8 *at, u64 length, int protection) { return system_call(10, (u64)at, length, protection, 0, 0, 0); }
static long unmap(u8 *at, u64 length) { return system_call(11, (u64)at, length, 0, 0, 0, 0); }
static long advise(u8 *at, u64 length) { return system_call(28, (u64)at, length, 4, 0, 0, 0); }
static u8 *remap(u8 *at, u64 old, u64 length) { return (u8 *)system_call(25, (u64)at, old, length, 1, 0, 0); }

#define NOINLINE __attribute__((noinline))
#define PAGE 4096ul
#define GIB (1ul << 30)
#define TIB (1ul << 40)

static u64 checks = 14695981039346656037ul;
static void check(u64 value) { checks = (checks ^ value) * 1099511628211ul; }

/* Sizes and alignments, in one page and across two. */
NOINLINE static u64 accesses(u8 *at) {
  u64 sum = 0;
  for (int i = 0; i < 24; i++) {
    *(volatile u8 *)(at + i) = (u8)(i * 7);
    *(volatile u64 *)(at + 3 * i + 1) += i;
    sum += *(volatile unsigned short *)(at + i);
    *(volatile u32 *)(at + 4 * i) = (u32)sum;
    sum ^= *(volatile u32 *)(at + i + 2);
  }
  for (int i = 0; i < 40; i++) sum = sum * 3 + at[i];
  return sum;
}

NOINLINE static u64 chase(u8 **first, int steps) {
  u8 **at = first;
  for (int i = 0; i < steps; i++) at = (u8 **)*at;
  return (u64)(at != first);
}

NOINLINE static void copy(u8 *to, const u8 *from, u64 length) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(length) : : "memory");
}

NOINLINE static void fill(u8 *to, int value, u64 length) {
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(length) : "a"(value) : "memory");
}

NOINLINE static void reservation(void) {
  u8 *all = map(0, 16 * TIB, PROT_NONE, NORESERVE);
  for (u64 i = 0; i < 6; i++) {
    u8 *part = all + i * 3 * TIB / 2 - i * i * PAGE + 64 * PAGE;
    check(protect(part, 4 * PAGE, PROT_RW));
    check(accesses(part));
    check(accesses(part + PAGE - 20));
    check(accesses(part + 3 * PAGE - 50));
  }
  /* Pages backwards, then across all of them. */
  u8 *down = all + 100 * PAGE;
  check(protect(down, 16 * PAGE, PROT_RW));
  for (int i = 15; i >= 0; i--) down[i * PAGE + 5] = (u8)i;
  for (int i = 1; i < 16; i++) check(accesses(down + i * PAGE - 30));
  check(advise(down, 8 * PAGE));
  check(down[5 * PAGE + 5]);
  check(down[9 * PAGE + 5]);
  check(unmap(all, 16 * TIB));
}

NOINLINE static void sparse(void) {
  u8 *all = map(0, 64 * GIB, PROT_RW, NORESERVE);
  u8 **last = (u8 **)all;
  for (u64 i = 1; i < 64; i++) {
    u8 **next = (u8 **)(all + (i * 37 % 64) * GIB + i * 8);
    *last = (u8 *)next;
    last = next;
  }
  *last = all;
  check(chase((u8 **)all, 640));
  u8 *more = map(0, 3 * PAGE, PROT_RW, 0);
  fill(all + 5 * GIB - 100, 0x5a, 3 * PAGE);
  copy(more, all + 5 * GIB - 100, 2 * PAGE);
  copy(all + 9 * GIB - 10, more, 2 * PAGE);
  copy(all + 9 * GIB + 5 * PAGE - 17, all + 9 * GIB - 10, 3 * PAGE);
  copy(all + 9 * GIB + 3, all + 9 * GIB, PAGE);
  for (u64 i = 0; i < 6 * PAGE; i += 509) check(all[9 * GIB - 10 + i]);
  check(system_call(318, (u64)(all + 20 * GIB - 9), 20, 0, 0, 0, 0) == 20);
  unmap(all, 64 * GIB);
}

NOINLINE static void fixed(void) {
  u8 *shadow = map(0x7fff8000, 0x10000000, PROT_RW, NORESERVE | FIXED);
  u8 *high = map(0x10007fff8000, PAGE * 8, PROT_RW, FIXED);
  check((u64)shadow);
  check((u64)high);
  for (int i = 0; i < 3000; i++) shadow[(u64)i * 5003] = high[i * 7 % 9999] + (u8)i;
  for (int i = 0; i < 3000; i++) check(shadow[(u64)i * 5003]);
  check(accesses(high + PAGE - 7));
  /* A mapping takes the place of another. */
  map((u64)high + PAGE, PAGE, PROT_RW, FIXED);
  check(high[PAGE - 7] + high[PAGE] + high[2 * PAGE]);
  check((u64)map((u64)high, PAGE, PROT_RW, 0x100000));
}

NOINLINE static void moving(void) {
  u8 *small = map(0x200000000000, 5 * PAGE, PROT_RW, FIXED);
  map(0x200000000000 + 5 * PAGE, PAGE, PROT_RW, FIXED);
  check(accesses(small + 2 * PAGE - 4));
  u8 *moved = remap(small, 5 * PAGE, 3 * GIB);
  check(accesses(moved + 2 * PAGE - 4));
  check(accesses(moved + 2 * GIB - 4));
  check((u64)remap(moved, 3 * GIB, PAGE) == (u64)moved);
  unmap(moved, PAGE);
  /* Come and go. */
  for (int i = 0; i < 20; i++) {
    u8 *at = map(0, 4 * GIB, PROT_RW, NORESERVE);
    at[i * GIB / 8] = 1;
    check(at[(i - 1) * GIB / 8 * (i > 0)] + 2 * at[i * GIB / 8]);
    check(accesses(at + GIB - 8));
    unmap(at, 4 * GIB);
  }
}

int main(void) {
  reservation();
  sparse();
  fixed();
  moving();
  static char text[24];
  u8 *far = map(0, 8 * GIB, PROT_RW, NORESERVE) + GIB - 8;
  for (int i = 0; i < 16; i++) text[i] = "0123456789abcdef"[checks >> (60 - 4 * i) & 15];
  text[16] = '\n';
  copy(far, (u8 *)text, 17);
  system_call(1, 1, (u64)far, 17, 0, 0, 0);
  return 0;
}

__asm__(".globl _start\n.type _start, @function\n_start: xor %ebp, %ebp\nand $-16, %rsp\ncall main\n"
        "mov %eax, %edi\nmov $231, %eax\nsyscall\n.size _start, .-_start");
