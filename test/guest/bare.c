/*
 * A program without a library: its own entry, its own system calls, and the instructions that count in their own way
 * (rep string instructions with large counts, with none, and ended early; loop; enter and leave; xlat).
 */
typedef unsigned long word;

static word call(word number, word a, word b, word c) {
  word result;
  __asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}

static unsigned char from[70000], to[70000];

static word copy(const void *source, void *target, word count) {
  __asm__ volatile("rep movsb" : "+S"(source), "+D"(target), "+c"(count) : : "memory");
  return count;
}
static void fill(void *target, word value, word count) {
  __asm__ volatile("rep stosq" : "+D"(target), "+c"(count) : "a"(value) : "memory");
}
static word compare(const void *a, const void *b, word count) {
  __asm__ volatile("repe cmpsb" : "+S"(a), "+D"(b), "+c"(count) : : "memory", "cc");
  return count;
}
static word length(const void *text) {
  word count = ~0ul;
  __asm__ volatile("repne scasb" : "+D"(text), "+c"(count) : "a"(0) : "memory", "cc");
  return ~count - 1;
}
static word backwards(const word *last, word *target, word count) {
  __asm__ volatile("std; rep movsq; cld" : "+S"(last), "+D"(target), "+c"(count) : : "memory");
  return count;
}
static word add_up(word count) {
  word sum = 0;
  __asm__ volatile("1: add %%rcx, %0; loop 1b" : "+r"(sum), "+c"(count) : : "cc");
  return sum;
}
static word frame(word value) {
  word result;
  __asm__ volatile("enter $64, $0; mov %1, -8(%%rbp); pushfq; popq %0; mov -8(%%rbp), %0; leave" : "=&r"(result) : "r"(value) : "memory", "cc");
  return result;
}
static word translate(const unsigned char *table, unsigned char index) {
  word result = index;
  __asm__ volatile("xlat" : "+a"(result) : "b"(table));
  return result & 255;
}

static char line[20] = "0000000000000000\n";

static void print(word value) {
  for (int i = 16; i-- > 0; value >>= 4) line[i] = "0123456789abcdef"[value & 15];
  call(1, 1, (word)line, 17);
}

__attribute__((used)) static void start(word *stack) {
  print(*stack);
  print(length("a text that ends"));
  for (word i = 0; i < sizeof from; i++) from[i] = (unsigned char)(i * 7 >> 2);
  print(copy(from, to, sizeof from) + copy(from, to + 1, 0));
  print(compare(from, to, sizeof from));
  to[60000] ^= 1;
  print(compare(from, to, sizeof from));
  print(compare(from, to, 0));
  fill(to, 0x1122334455667788, 1000);
  fill(to, 0, 0);
  print(to[7999] + 256ul * to[8000]);
  backwards((word *)from + 99, (word *)to + 107, 100);
  print(((word *)to)[57]);
  print(add_up(1000));
  print(frame(0xabc) + translate(from, 200));
  word ones;
  __asm__ volatile("xor %%eax, %%eax; not %%rax; mov %%rax, %0; rep; nop" : "=r"(ones) : : "rax");
  print(ones >> 3);
  call(231, 42, 0, 0);
}

__asm__(".globl _start\n_start: mov %rsp, %rdi; and $-16, %rsp; call start; hlt");
