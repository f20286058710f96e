/* Bytes that are stored one by one, rest, are loaded in no order and in order, and are stored to again. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned long u64;

#define NOINLINE __attribute__((noinline))
#define SIZE 8192ul

static u8 text[SIZE] __attribute__((aligned(4096)));

/* Each is later than the one before. */
NOINLINE static u64 fill(u64 value) {
  for (u64 i = 0; i < SIZE; i++) {
    value = value * 5 + 1;
    text[i] = (u8)(value >> 20);
  }
  return value;
}

/* The address is later than what is loaded, sooner or later. */
NOINLINE static u64 visit(u64 x, int times) {
  for (int i = 0; i < times; i++) {
    x = x * 0x9e3779b97f4a7c15ul + text[x >> 51];
    x += *(volatile u16 *)(text + (x >> 52) * 2);
  }
  return x;
}

/* What is loaded is later than its address. */
NOINLINE static u64 walk(int from) {
  u64 sum = 0;
  for (u64 i = from; i < SIZE; i += 7) sum += text[i] ^ *(volatile u16 *)(text + (i & ~1ul));
  return sum;
}

/* A few bytes of one page are late. */
NOINLINE static u64 change(u64 x) {
  for (int i = 0; i < 300; i++) x = x * 3 + 1;
  for (int i = 0; i < 5; i++) text[(x >> 40 & 4095) + i] = (u8)x;
  return x;
}

int main(void) {
  u64 x = fill(1);
  for (int round = 0; round < 3; round++) {
    x = visit(x, 400);
    x += walk(round);
    x = change(x);
    x += walk(round + 1);
  }
  *(volatile u64 *)(text + 4104) = x;
  x += walk(3);
  x = visit(x, 200);
  x += fill(x) + visit(x, 400) + walk(0);
  return (int)(x & 1);
}

__asm__(".globl _start\n_start:\n  call main\n  mov %eax, %edi\n  mov $231, %eax\n  syscall\n");
