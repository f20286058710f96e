/* corpus: -frounding-math not:Ofast */
/* Floating-point exception flags as fenv.h shows them. */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

static void show(const char *what) {
  int e = fetestexcept(FE_ALL_EXCEPT);
  printf("%-22s%s%s%s%s%s\n", what, e & FE_INVALID ? " invalid" : "", e & FE_DIVBYZERO ? " divide" : "", e & FE_OVERFLOW ? " overflow" : "",
         e & FE_UNDERFLOW ? " underflow" : "", e & FE_INEXACT ? " inexact" : "");
  feclearexcept(FE_ALL_EXCEPT);
}

int main(void) {
  volatile double zero = 0, one = 1, big = DBL_MAX, tiny = DBL_MIN, r;
  volatile float fbig = FLT_MAX, fr;
  volatile long double lzero = 0, lone = 1, lbig = LDBL_MAX, lr;
  volatile int n;
  feclearexcept(FE_ALL_EXCEPT);
  r = one / 3; show("1/3");
  r = one / 4; show("1/4");
  r = one / zero; show("1/0");
  r = zero / zero; show("0/0");
  r = big * big; show("max*max");
  r = tiny * tiny; show("min*min");
  r = tiny / 2; show("min/2");
  r = sqrt(-one); show("sqrt(-1)");
  fr = fbig * 2; show("float max*2");
  fr = (float)big; show("double max to float");
  n = (int)big; show("double max to int");
  n = (int)(one / 3); show("1/3 to int");
  lr = lone / lzero; show("long double 1/0");
  lr = lone / 3; show("long double 1/3");
  lr = lbig * lbig; show("long double max*max");
  r = (double)lbig; show("long double to double");
  r = (double)NAN < one; show("NaN < 1");
  r = isless(NAN, one); show("isless(NaN, 1)");
  feraiseexcept(FE_OVERFLOW | FE_INVALID); show("raised");
  fenv_t env;
  feholdexcept(&env); r = one / zero; feupdateenv(&env); show("held");
  printf("%d\n", n != 5);
}
