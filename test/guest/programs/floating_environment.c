/* What fenv.h and intrinsics tell of exceptions raised by SSE and x87 arithmetic, in the default mode and in others. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <xmmintrin.h>

static volatile double zero = 0, one = 1, three = 3, tiny = 1e-308, huge = 1e308, negative = -1, denormal = 4e-320;
static volatile float fone = 1, fthree = 3, fhuge = 3e38f;
static volatile long double lone = 1, lthree = 3;

static const char *names(int set) {
  static char text[32];
  snprintf(text, sizeof text, "%s%s%s%s%s", set & FE_INVALID ? "I" : "", set & FE_DIVBYZERO ? "Z" : "",
           set & FE_OVERFLOW ? "O" : "", set & FE_UNDERFLOW ? "U" : "", set & FE_INEXACT ? "P" : "");
  return text;
}

static void tell(const char *what) {
  printf("%s: %s %02x\n", what, names(fetestexcept(FE_ALL_EXCEPT)), _mm_getcsr() & 0x3f);
  feclearexcept(FE_ALL_EXCEPT);
}

static int handled(int (*body)(void)) {
  fenv_t saved;
  feholdexcept(&saved);
  int result = body();
  int raised = fetestexcept(FE_ALL_EXCEPT);
  feupdateenv(&saved);
  return raised | result << 8;
}

static int divides(void) { return one / zero > 1; }
static int rounds(void) { return (int)(one / three * 10); }

int main(void) {
  volatile double r;
  volatile float f;
  volatile long double l;
  volatile int i;
  tell("start");
  r = one / three, tell("1/3");
  r = one + one, tell("1+1");
  r = one / zero, tell("1/0");
  r = zero / zero, tell("0/0");
  r = huge * huge, tell("huge*huge");
  r = tiny * tiny, tell("tiny*tiny");
  r = denormal + one, tell("denormal+1");
  r = sqrt(negative), tell("sqrt(-1)");
  f = fone / fthree, tell("1f/3f");
  f = fhuge * fhuge, tell("hugef*hugef");
  f = (float)one / (float)three, tell("conversions");
  f = (float)(one / three), tell("1/3 to float");
  i = (int)(one / three), tell("1/3 to int");
  i = (int)huge, tell("huge to int");
  l = lone / lthree, tell("1L/3L");
  l = lone + lthree, tell("1L+3L");
  r = one < (volatile double)NAN, tell("1<nan");
  r = isless(one, (volatile double)NAN), tell("isless");
  printf("held: %x %x\n", handled(divides), handled(rounds));
  tell("after");
  fexcept_t flags;
  r = one / three;
  fegetexceptflag(&flags, FE_ALL_EXCEPT);
  feclearexcept(FE_ALL_EXCEPT);
  tell("cleared");
  fesetexceptflag(&flags, FE_INEXACT);
  tell("set again");
  feraiseexcept(FE_OVERFLOW | FE_INVALID);
  tell("raised");
  _mm_setcsr(_mm_getcsr() | 0x11);
  printf("csr: %04x\n", _mm_getcsr());
  tell("by hand");
  for (int mode = 0; mode < 4; mode++) {
    static const int modes[4] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    fesetround(modes[mode]);
    printf("%a %a %g ", one / three, -(one / three), rint(2.5));
    printf("%d ", fetestexcept(FE_INEXACT) != 0);
    feclearexcept(FE_ALL_EXCEPT);
    printf("%d\n", fetestexcept(FE_INEXACT) != 0);
  }
  fesetround(FE_TONEAREST);
  _mm_setcsr(_mm_getcsr() | 0x8040);
  r = denormal + one, tell("denormals are zeros");
  r = tiny * tiny, tell("flushed");
  _mm_setcsr(0x1f80);
  printf("%.17g\n", fma(one / three, three, -1.0));
  tell("fma");
  printf("%g %g %ld\n", nearbyint(2.5), rint(1.5), lrint(3.5));
  tell("to integers");
  double sum = 0;
  for (int k = 0; k < 200; k++) sum += sin(k) * cos(k) + exp2(k % 7) + pow(k, 0.5) + tan(k);
  printf("%.15g\n", sum);
  fesetenv(FE_DFL_ENV);
  tell("default");
  return 0;
}
