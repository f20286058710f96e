/* Underflow that is not masked: tiny results fault even where they are exact, and are not flushed to zero. */
#include <emmintrin.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf out;
static int code;

static void handler(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)context;
  code = info->si_code;
  siglongjmp(out, 1);
}

static void multiply(const char *what, unsigned mode, double a, double b) {
  volatile double x = a, y = b, z = 0;
  code = 0;
  if (!sigsetjmp(out, 1)) {
    _mm_setcsr(mode);
    z = x * y;
    _mm_setcsr(0x1f80);
  } else
    _mm_setcsr(0x1f80);
  printf("%s: %a, code %d\n", what, z, code);
}

static void divide(const char *what, unsigned mode, float a, float b) {
  volatile float x = a, y = b, z = 0;
  code = 0;
  if (!sigsetjmp(out, 1)) {
    _mm_setcsr(mode);
    z = x / y;
    _mm_setcsr(0x1f80);
  } else
    _mm_setcsr(0x1f80);
  printf("%s: %a, code %d\n", what, z, code);
}

int main(void) {
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigaction(SIGFPE, &action, NULL);
  unsigned masked = 0x1f80, unmasked = masked & ~0x800u, flush = 0x8000;
  multiply("exact, masked", masked, 0x1p-1000, 0x1p-50);
  multiply("exact", unmasked, 0x1p-1000, 0x1p-50);
  multiply("inexact", unmasked, 0x1.8p-1000, 0x1.1p-74);
  multiply("exact, flushed", masked | flush, 0x1p-1000, 0x1p-50);
  multiply("exact, not flushed", unmasked | flush, 0x1p-1000, 0x1p-50);
  multiply("the smallest normal number", unmasked, 0x1p-1000, 0x1p-22);
  multiply("zero", unmasked, 0x1p-1000, 0);
  divide("exact, masked", masked, 0x1p-100f, 0x1p40f);
  divide("exact", unmasked, 0x1p-100f, 0x1p40f);
  divide("normal", unmasked, 0x1p-100f, 0x1p26f);
}
