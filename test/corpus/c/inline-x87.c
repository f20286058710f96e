/* x87 instructions in inline assembly: constants, stack moves, compare, partial remainder, BCD, control word. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  long double r, s;
  uint16_t status, control;
  __asm__("fldpi" : "=t"(r)); printf("%La ", r);
  __asm__("fldl2e" : "=t"(r)); printf("%La ", r);
  __asm__("fldl2t" : "=t"(r)); printf("%La ", r);
  __asm__("fldlg2" : "=t"(r)); printf("%La ", r);
  __asm__("fldln2" : "=t"(r)); printf("%La\n", r);
  for (int i = 0; i < 6; i++) {
    long double x = (i - 2) * 1234.5678L + 0.1L, y = i * 3.25L + 1;
    __asm__("fprem; fnstsw %1" : "=t"(r), "=a"(status) : "0"(x), "u"(y)); printf("%La %x ", r, status & 0x4700);
    __asm__("fprem1; fnstsw %1" : "=t"(r), "=a"(status) : "0"(x), "u"(y)); printf("%La %x ", r, status & 0x4700);
    __asm__("fscale" : "=t"(r) : "0"(x), "u"((long double)i)); printf("%La ", r);
    __asm__("fxtract" : "=t"(r), "=u"(s) : "0"(x)); printf("%La %La ", r, s);
    __asm__("frndint" : "=t"(r) : "0"(x)); printf("%La ", r);
    __asm__("fxam; fnstsw %0" : "=a"(status) : "t"(x)); printf("%x ", status & 0x4700);
    unsigned char bcd[10];
    __asm__("fbstp %0" : "=m"(bcd) : "t"(x) : "st"); for (int k = 9; k >= 0; k--) printf("%02x", bcd[k]);
    __asm__("fbld %1" : "=t"(r) : "m"(bcd)); printf(" %La\n", r);
    __asm__("fxch; fsub %%st(1), %%st; fdivr %%st(1), %%st" : "=t"(r), "=u"(s) : "0"(x), "1"(y)); printf("%La %La ", r, s);
    __asm__("fcomi %%st(1), %%st; fcmovb %%st(1), %%st" : "=t"(r) : "0"(x), "u"(y) : "cc"); printf("%La ", r);
    __asm__("fabs; fchs; fsqrt; fabs" : "=t"(r) : "0"(0.L * x)); printf("%La\n", r);
  }
  for (int mode = 0; mode < 4; mode++)
    for (int precision = 0; precision < 4; precision += precision ? 1 : 2) {
      control = (uint16_t)(0x3f | precision << 8 | mode << 10);
      uint16_t normal = 0x37f;
      int32_t n;
      __asm__("fldcw %3; fdivp; fldcw %4" : "=t"(r) : "0"(1.L), "u"(3.L), "m"(control), "m"(normal) : "st(1)"); printf("%La ", r);
      __asm__("fldcw %2; fistpl %0; fldcw %3" : "=m"(n) : "t"(-2.5L), "m"(control), "m"(normal) : "st"); printf("%d\n", n);
    }
}
