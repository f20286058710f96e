/* Integer, byte, recursion, function pointers, varargs through registers, doubles: without any library. */
#define FUNCTION __attribute__((noipa)) static
typedef unsigned long size;

static unsigned char text[160];
static unsigned table[64];
static double values[40];

FUNCTION unsigned crc(const unsigned char *bytes, size count) {
  unsigned sum = ~0u;
  for (size i = 0; i < count; i++) {
    sum ^= bytes[i];
    for (int bit = 0; bit < 4; bit++) sum = sum & 1 ? sum >> 1 ^ 0xedb88320u : sum >> 1;
  }
  return ~sum;
}

FUNCTION void fill(unsigned char *bytes, size count) {
  for (size i = 0; i < count; i++) bytes[i] = (unsigned char)(i * i + 3 * i + (i & 1 ? bytes[i - 1] : 7));
}

FUNCTION int partition(unsigned *from, int low, int high) {
  unsigned pivot = from[high];
  int at = low;
  for (int i = low; i < high; i++)
    if (from[i] < pivot) {
      unsigned kept = from[i];
      from[i] = from[at];
      from[at++] = kept;
    }
  unsigned kept = from[high];
  from[high] = from[at];
  from[at] = kept;
  return at;
}

FUNCTION void sort(unsigned *from, int low, int high) {
  if (low >= high) return;
  int middle = partition(from, low, high);
  sort(from, low, middle - 1);
  sort(from, middle + 1, high);
}

FUNCTION double sum(const double *from, int count) {
  double total = 0;
  for (int i = 0; i < count; i++) total += from[i];
  return total;
}

FUNCTION double horner(const double *from, int count, double x) {
  double value = 0;
  for (int i = 0; i < count; i++) value = value * x + from[i];
  return value;
}

struct node {
  struct node *next;
  short small;
  char letter;
  long wide;
};
static struct node nodes[24];

FUNCTION long chase(const struct node *at) {
  long total = 0;
  for (; at; at = at->next) total += at->small * at->letter + at->wide;
  return total;
}

FUNCTION long add(long a, long b) { return a + b; }
FUNCTION long mix(long a, long b) { return a * 31 ^ b; }
static long (*const operations[])(long, long) = {add, mix};

FUNCTION long fold(int count) {
  long value = 1;
  for (int i = 0; i < count; i++) value = operations[i % 2](value, i);
  return value;
}

FUNCTION int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

FUNCTION int state_machine(const unsigned char *bytes, int count) {
  int state = 0, seen = 0;
  for (int i = 0; i < count; i++)
    switch (bytes[i] % 7) {
      case 0: state = 1; break;
      case 1: seen += state; break;
      case 2: state ^= 3; break;
      case 3: seen ^= i; break;
      case 4: state++; break;
      case 5: seen -= state; break;
      default: state = seen & 7;
    }
  return state + seen;
}

FUNCTION unsigned __int128 product(unsigned long a, unsigned long b) {
  return ((unsigned __int128)a * b + a) >> 13;
}

FUNCTION void scramble(unsigned char *bytes, size count) {
  for (size i = 1; i + 8 <= count; i += 4) {
    unsigned long word;
    __builtin_memcpy(&word, bytes + i, 8);
    word ^= word >> 3;
    __builtin_memcpy(bytes + i, &word, 8);
  }
}

int main(void) {
  long result = 0;
  fill(text, sizeof text);
  result += crc(text, sizeof text);
  for (int i = 0; i < 20; i++) scramble(text, sizeof text);
  for (int i = 0; i < 64; i++) table[i] = (unsigned)(i * 2654435761u) >> 7;
  sort(table, 0, 63);
  result ^= table[5] ^ table[60];
  for (int i = 0; i < 40; i++) values[i] = 1.0 / (i + 1);
  result += (long)(1000 * sum(values, 40)) + (long)(1000 * horner(values, 40, 0.5));
  for (int i = 0; i < 24; i++) {
    nodes[i].next = i < 23 ? &nodes[i + 1] : 0;
    nodes[i].small = (short)(i - 12);
    nodes[i].letter = (char)('a' + i);
    nodes[i].wide = i * 1000003l;
  }
  result += chase(&nodes[1]);
  result ^= fold(50) ^ ackermann(2, 3) ^ state_machine(text, sizeof text);
  result += (long)product((unsigned long)result, 0x123456789abcdef1ul);
  return (int)((unsigned long)result % 251);
}

#ifdef FREESTANDING
void *memset(void *to, int value, size count) {
  unsigned char *bytes = to;
  while (count--) *bytes++ = (unsigned char)value;
  return to;
}

void __attribute__((naked)) _start(void) {
  __asm__("xor %ebp, %ebp\n call main\n mov %eax, %edi\n mov $231, %eax\n syscall");
}
#endif
