/* A compiler of arithmetic expressions to machine code. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static unsigned char *out;
static const char *text;
static void emit(const char *bytes, int n) { memcpy(out, bytes, (size_t)n), out += n; }
static void sum(void);
static void atom(void) {
  if (*text == '(') { text++, sum(), text++; return; }
  if (*text == 'x') { text++, emit("\x57", 1); return; }
  int value = 0;
  while (isdigit((unsigned char)*text)) value = value * 10 + *text++ - '0';
  emit("\x68", 1), emit((char *)&value, 4);
}
static void product(void) {
  atom();
  while (*text == '*' || *text == '/') {
    char op = *text++;
    atom();
    emit("\x59\x58", 2);
    if (op == '*') emit("\x48\x0f\xaf\xc1\x50", 5);
    else emit("\x48\x99\x48\xf7\xf9\x50", 6);
  }
}
static void sum(void) {
  product();
  while (*text == '+' || *text == '-') {
    char op = *text++;
    product();
    emit("\x59\x58", 2);
    emit(op == '+' ? "\x48\x01\xc8\x50" : "\x48\x29\xc8\x50", 4);
  }
}

int main(void) {
  const char *expressions[] = {"x+1", "x*x-3*x+2", "(x+1)*(x-1)/2", "1000000/(x*x+1)-x", "((((x))))*2*(3+4*(5-x))"};
  unsigned char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 5; i++) {
    text = expressions[i];
    out = page;
    sum();
    emit("\x58\xc3", 2);
    long (*f)(long) = (long (*)(long))page;
    printf("%s:", expressions[i]);
    for (long x = -3; x < 300; x = x * 2 + 5) printf(" %ld", f(x));
    puts("");
  }
}
