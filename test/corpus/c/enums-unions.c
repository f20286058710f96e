/* Tagged unions, enumerations with gaps, flags, type punning, bit casts. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum Kind { INT = 1, REAL = 4, TEXT = 9, PAIR = -2 };
typedef struct Value { enum Kind kind; union { int64_t i; double d; char t[8]; struct { int32_t a, b; } p; }; } Value;
enum { A = 1 << 0, B = 1 << 3, C = 1 << 30, ALL = A | B | C };

static Value add(Value a, Value b) {
  if (a.kind == REAL || b.kind == REAL)
    return (Value){REAL, .d = (a.kind == REAL ? a.d : (double)a.i) + (b.kind == REAL ? b.d : (double)b.i)};
  if (a.kind == PAIR && b.kind == PAIR) return (Value){PAIR, .p = {a.p.a + b.p.a, a.p.b + b.p.b}};
  if (a.kind == TEXT) { Value v = a; strncat(v.t, b.kind == TEXT ? b.t : "?", 7 - strlen(v.t)); return v; }
  return (Value){INT, .i = a.i + b.i};
}
static void print(Value v) {
  switch (v.kind) {
    case INT: printf("%lld ", (long long)v.i); break;
    case REAL: printf("%g ", v.d); break;
    case TEXT: printf("%s ", v.t); break;
    case PAIR: printf("<%d,%d> ", v.p.a, v.p.b); break;
  }
}

int main(void) {
  Value list[] = {{INT, .i = 5}, {REAL, .d = 2.5}, {TEXT, .t = "abc"}, {PAIR, .p = {1, -2}}, {INT, .i = INT64_MAX - 100}, {TEXT, .t = "defghij"}};
  for (int i = 0; i < 6; i++) for (int j = 0; j < 6; j++) print(add(list[i], list[j]));
  union { double d; uint64_t u; uint8_t b[8]; } pun = {-0.1};
  printf("%llx %x\n", (unsigned long long)pun.u, pun.b[7]);
  pun.b[6] ^= 0x10;
  unsigned flags = 0;
  for (int i = 0; i < 40; i++) flags ^= i % 3 == 0 ? A : i % 5 == 0 ? B : i % 7 == 0 ? C : 0, flags |= flags & A ? B : 0;
  printf("%g %u %d %d\n", pun.d, flags, (flags & ALL) == ALL, (int)sizeof(Value));
}
