/* Indirect jumps: a switch, computed gotos, tail calls through pointers; cases and branches that are first taken late. */
#define KEEP __attribute__((noinline, noclone))

static unsigned long state = 12345;
static unsigned draw(void) {
  state = state * 6364136223846793005UL + 1442695040888963407UL;
  return (unsigned)(state >> 33);
}

static unsigned char code[64];

/* Operations 5 and above come up only once the program has run for a while. */
static KEEP void generate(int operations) {
  for (int i = 0; i < 63; i++) code[i] = (unsigned char)(draw() % operations);
  code[63] = 9;
}

static KEEP long by_switch(const unsigned char *at, long x) {
  for (;;) switch (*at++) {
    case 0: x += 3; break;
    case 1: x = x * 5 + 1; break;
    case 2: x ^= x >> 3; break;
    case 3: if (x & 1 && *at != 9) at++; break;
    case 4: x -= draw() & 7; break;
    case 5: x = x / 3; break;
    case 6: x += *at & 1 ? 11 : 13; break;
    case 7: for (int i = 0; i < (x & 3); i++) x += i; break;
    case 8: x = -x; break;
    case 9: return x;
    default: return at[-1];
    }
}

static KEEP long by_goto(const unsigned char *at, long x) {
  static const void *const labels[] = {&&add, &&mul, &&xor, &&skip, &&sub, &&div, &&pick, &&loop, &&neg, &&end};
#define NEXT goto *labels[*at++]
  NEXT;
add: x += 7; NEXT;
mul: x = x * 3 + 1; NEXT;
xor: x ^= x >> 5; NEXT;
skip: if (x & 1 && *at != 9) at++; NEXT;
sub: x -= 5; NEXT;
div: x = x / 7; NEXT;
pick: x += *at & 1 ? 17 : 19; NEXT;
loop: for (int i = 0; i < (x & 7); i++) x += i; NEXT;
neg: x = ~x; NEXT;
end: return x;
}

typedef long step(long, int);
static KEEP long finish(long x, int n) { return x + n; }
static step twice, half;
static step *const steps[] = {twice, half, finish};
static KEEP long twice(long x, int n) { return n == 0 ? finish(x * 2, n) : steps[x & 1](x * 2 + 1, n - 1); }
static KEEP long half(long x, int n) { return n == 0 ? finish(x / 2, n) : steps[(x >> 1) & 1](x / 2 + 3, n - 1); }

static KEEP long work(int rounds, int operations) {
  long x = 1;
  for (int r = 0; r < rounds; r++) {
    generate(operations);
    x = by_switch(code, x) & 0xffff;
    x = by_goto(code, x) & 0xffff;
    x = steps[r & 1](x, r & 15) & 0xffff;
    if (operations > 5 && r > 20) x ^= 0x55;
  }
  return x;
}

int main(void) { return (int)((work(30, 5) + work(60, 9)) & 63); }

__attribute__((naked)) void _start(void) {
  __asm__("xor %ebp, %ebp\n and $-16, %rsp\n call main\n mov %eax, %edi\n mov $60, %eax\n syscall\n");
}
