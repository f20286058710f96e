/* Structures of every class of the calling convention, by value, in and out, in registers and memory. */
#include <stdio.h>

typedef struct { char a; } C1;
typedef struct { short a; char b; } S3;
typedef struct { float x, y; } F2;
typedef struct { float x, y, z; } F3;
typedef struct { double d; int i; } DI;
typedef struct { int i; double d; } ID;
typedef struct { long a, b; } L2;
typedef struct { long a, b, c; } L3;
typedef struct { char c[17]; } C17;
typedef struct { double a, b; } D2;
typedef struct { long double l; } X1;
typedef struct { float a; int b; float c; int d; } FI;
typedef struct { char a; float b; } CF;
typedef union { double d; long l; char c[12]; } U;
typedef struct { struct { char a; short b; } in[3]; } Nested;
typedef struct {} Empty;

__attribute__((noipa)) static C1 c1(C1 v, int k) { v.a += (char)k; return v; }
__attribute__((noipa)) static S3 s3(S3 v, S3 w) { v.a += w.b; v.b -= (char)w.a; return v; }
__attribute__((noipa)) static F2 f2(F2 v, F2 w) { return (F2){v.x * w.y, v.y + w.x}; }
__attribute__((noipa)) static F3 f3(F3 v, float k) { return (F3){v.z * k, v.x, v.y - k}; }
__attribute__((noipa)) static DI di(DI v, ID w) { return (DI){v.d + w.i, v.i * (int)w.d}; }
__attribute__((noipa)) static ID id(int a, int b, int c, int d, int e, ID v, L2 on_stack, DI w) { return (ID){v.i + a + b + c + d + e + (int)on_stack.b, w.d * v.d}; }
__attribute__((noipa)) static L3 l3(L3 v, L2 w) { return (L3){v.c + w.a, v.a - w.b, v.b}; }
__attribute__((noipa)) static C17 c17(C17 v) { for (int i = 0; i < 8; i++) { char t = v.c[i]; v.c[i] = v.c[16 - i]; v.c[16 - i] = t; } return v; }
__attribute__((noipa)) static D2 d2(D2 a, D2 b, D2 c, D2 d, D2 e) { return (D2){a.a + b.b + c.a + d.b + e.a, a.b * b.a * c.b * d.a * e.b}; }
__attribute__((noipa)) static X1 x1(X1 v, long double k) { v.l *= k; return v; }
__attribute__((noipa)) static FI fi(FI v, CF w) { return (FI){v.c + w.b, v.d, v.a, v.b + w.a}; }
__attribute__((noipa)) static U u(U v, Empty e) { v.l++; return v; }
__attribute__((noipa)) static Nested nested(Nested v) { for (int i = 0; i < 3; i++) v.in[i].b = (short)(v.in[2 - i].a * 100 + i); return v; }

int main(void) {
  for (volatile int n = 1; n < 4; n++) {
    C17 text = c17((C17){"abcdefghijklmnop"});
    L3 l = l3((L3){n, n * 10, n * 100}, (L2){7, 9});
    DI a = di((DI){n + .5, n}, (ID){n * 3, 4.9});
    ID b = id(n, 2, 3, 4, 5, (ID){n, 1.25}, (L2){1, n}, a);
    D2 d = d2((D2){1, 2}, (D2){n, 4}, (D2){5, n}, (D2){7, 8}, (D2){9, 10});
    FI f = fi((FI){1.5f, n, 2.5f, 9}, (CF){'A', 0.5f});
    U v = u((U){.l = n}, (Empty){});
    Nested m = nested((Nested){{{1, 2}, {(char)n, 4}, {5, 6}}});
    F3 g = f3((F3){1, 2, 3}, (float)n);
    F2 p = f2((F2){n + .5f, 2}, (F2){3, 4});
    S3 s = s3((S3){(short)n, 5}, (S3){3, 7});
    printf("%c %d %d %g %g %g %g %g\n", c1((C1){'a'}, n).a, s.a, s.b, p.x, p.y, g.x, g.y, g.z);
    printf("%g %d %d %g %ld %ld %ld %.17s %g %g %Lg\n", a.d, a.i, b.i, b.d, l.a, l.b, l.c, text.c, d.a, d.b, x1((X1){1.5L}, n).l);
    printf("%g %d %g %d %ld %d %d %d\n", f.a, f.b, f.c, f.d, v.l, m.in[0].b, m.in[1].b, m.in[2].b);
  }
}
