/* Single bytes in more pages than have room for the steps of theirs: filled, changed in any order, copied, read, moved, protected and unmapped. */
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long u64;

static long system_call(long number, u64 a, u64 b, u64 c, u64 d, u64 e) {
  long result;
  register u64 r10 __asm__("r10") = d;
  register u64 r8 __asm__("r8") = e;
  register u64 r9 __asm__("r9") = 0;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

#define NOINLINE __attribute__((noinline))
#define PAGE 4096ul
#define PAGES 40ul
#define SIZE (PAGES * PAGE)
#define NONE 0
#define READ 1
#define READ_WRITE 3

static u64 state = 1;
static u64 next(void) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return state >> 33;
}

/* Each byte later than the one before: no granule has one step. */
NOINLINE static void fill(volatile u8 *at, u64 count, u64 stride) {
  u8 value = 1;
  for (u64 i = 0; i < count; i++) at[i * stride] = value = (u8)(value * 5 + 1);
}

NOINLINE static u64 sum(const volatile u8 *at, u64 count, u64 stride) {
  u64 total = 0;
  for (u64 i = 0; i < count; i++) total += at[i * stride];
  return total;
}

NOINLINE static u64 words(const volatile u8 *at, u64 count, u64 stride) {
  u64 total = 0;
  for (u64 i = 0; i < count; i++) total ^= *(const volatile u64 *)(at + i * stride);
  return total;
}

#define STORES 250ul
static u64 place(u64 seed, u64 i) { return (seed * 0x9e3779b97f4a7c15ul + i * 0xd1342543de82ef95ul) >> 40; }

/*
 * Stores everywhere, each later than the one before, then a load of what one of them has stored, and a chain that is longer than all of
 * them: the cycles of the call tell how late the loaded bytes are. They may have moved elsewhere before.
 */
NOINLINE static u64 late(volatile u8 *at, u64 size, u64 seed, volatile u8 *other) {
  u64 value = seed;
  for (u64 i = 0; i < STORES; i++) {
    volatile u8 *to = at + place(seed, i) % (size - 8);
    value = value * 5 + 1;
    if ((i & 15) == 3) *(volatile u32 *)to = (u32)value;
    else if ((i & 31) == 9) *(volatile u64 *)to = value;
    else *to = (u8)value;
  }
  if (other != 0) system_call(25, (u64)at, size, size, 3, (u64)other);
  u64 chosen = place(seed, seed % STORES) % (size - 8);
  volatile u8 *from = (other == 0 ? at : other) + chosen;
  switch (seed % 3) {
    case 0: value = *from; break;
    case 1: value = *(volatile u32 *)(from - chosen % 4); break;
    default: value = *(volatile u64 *)(from - (chosen > 7 ? seed % 8 : 0)); break;
  }
  for (u64 i = 0; i < 2 * STORES + 200; i++) value = value * 3 + 1;
  return value & 1;
}

/* Calls of that, of which each begins with what the one before has left. */
NOINLINE static u64 each(u8 *at, u64 size, u64 first, int times) {
  u64 total = 0;
  for (u64 seed = first; seed < first + times; seed++) total += late(at, size, seed, 0);
  return total;
}

/* Bytes, words at any alignment, and loads of both. */
NOINLINE static void mix(volatile u8 *at, u64 size, int times) {
  u64 carried = 0;
  for (int i = 0; i < times; i++) {
    volatile u8 *place = at + next() % (size - 8);
    switch (next() % 6) {
      case 0: carried += *(volatile u64 *)place; break;
      case 1: *(volatile u32 *)place = (u32)carried; break;
      case 2: *(volatile u64 *)place = carried; break;
      case 3: carried = carried * 3 + *place; break;
      default: *place = (u8)carried; break;
    }
  }
}

NOINLINE static void copy(u8 *to, const u8 *from, u64 count) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
}

NOINLINE static void set(u8 *to, u64 count, u8 value) {
  __asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(value) : "memory");
}

static u8 *map(u64 size) { return (u8 *)system_call(9, 0, size, READ_WRITE, 0x22, -1); }
static long protect(u8 *at, u64 size, int protection) { return system_call(10, (u64)at, size, protection, 0, -1); }

NOINLINE static int all(void) {
  u8 *at = map(SIZE);
  u64 total = 0;
  for (u64 page = 0; page < PAGES; page++) fill(at + page * PAGE, 200, 1);
  /* Columns: of each page a byte, then the next ones. */
  for (u64 column = 0; column < 6; column++) fill(at + 300 + 700 * column, PAGES, PAGE);
  total += sum(at, PAGES, PAGE) + sum(at + PAGE - 1, PAGES - 1, PAGE);
  total += words(at + 1, PAGES, PAGE) + words(at + PAGE - 4, PAGES - 1, PAGE) + words(at + 3, 900, 1);
  mix(at, SIZE, 600);
  copy(at + 3 * PAGE + 100, at + 20 * PAGE + 50, 4 * PAGE);
  total += sum(at + 3 * PAGE + 90, 300, 1);
  set(at + 9 * PAGE + 10, 3 * PAGE, 7);
  mix(at, SIZE, 300);
  total += each(at, SIZE, 1, 9);
  /* The kernel reads what a call writes, and writes what it reads. */
  int pipe[2];
  system_call(22, (u64)pipe, 0, 0, 0, -1);
  total += (u64)system_call(1, (u64)pipe[1], (u64)(at + 11 * PAGE + 7), 5 * PAGE, 0, -1);
  total += (u64)system_call(0, (u64)pipe[0], (u64)(at + 27 * PAGE + 9), 5 * PAGE, 0, -1);
  total += sum(at + 27 * PAGE, PAGES - 28, PAGE + 1);
  /* Pages that cannot be read, or written, for a while. */
  protect(at + 2 * PAGE, 6 * PAGE, NONE);
  protect(at + 30 * PAGE, 5 * PAGE, READ);
  mix(at + 8 * PAGE, 20 * PAGE, 200);
  total += sum(at + 30 * PAGE, 5, PAGE - 3);
  total += each(at + 8 * PAGE, 20 * PAGE, 40, 3);
  protect(at + 2 * PAGE, 6 * PAGE, READ_WRITE);
  protect(at + 30 * PAGE, 5 * PAGE, READ_WRITE);
  total += sum(at + 2 * PAGE, 600, 40);
  /* Moved, and mapped anew. */
  u8 *moved = (u8 *)system_call(25, (u64)(at + 32 * PAGE), 8 * PAGE, 64 * PAGE, 1, -1);
  mix(at, 30 * PAGE, 400);
  total += sum(moved, 700, 45);
  for (u64 seed = 90; seed < 94; seed++) {
    u8 *before = map(28 * PAGE), *behind = map(28 * PAGE);
    total += late(before, 28 * PAGE, seed, behind);
  }
  system_call(11, (u64)(at + 4 * PAGE), 3 * PAGE, 0, 0, -1);
  system_call(9, (u64)(at + 4 * PAGE), 3 * PAGE, READ_WRITE, 0x32, -1);
  total += sum(at + 4 * PAGE, 300, 41);
  mix(at, 30 * PAGE, 300);
#ifdef FORKS
  /* Another process has all that this one has, and both go on. */
  total += each(at + 8 * PAGE, 20 * PAGE, 60, 1);
  long child = system_call(57, 0, 0, 0, 0, -1);
  total += sum(at + 8 * PAGE, 4 * PAGE, 5) + each(at + 8 * PAGE, 20 * PAGE, child == 0 ? 70 : 80, 2);
  if (child == 0) system_call(231, total & 0x3f, 0, 0, 0, -1);
  int status = 0;
  system_call(61, (u64)child, (u64)&status, 0, 0, -1);
  total += (u64)status;
#endif
  return (int)(total & 0x3f);
}

__attribute__((force_align_arg_pointer)) void _start(void) { system_call(231, (u64)all(), 0, 0, 0, -1); }
