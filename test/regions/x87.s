# A sum of long doubles.
  .globl _start
_start:
  mov $100, %ebp
1:
  lea numbers(%rip), %rsi
  mov $4, %ecx
  fldz
  call region
  fstp %st(0)
  sub $1, %ebp
  jne 1b
  mov $231, %eax
  xor %edi, %edi
  syscall
  .type region, @function
region:
  fldt (%rsi)
  faddp
  add $16, %rsi
  sub $1, %ecx
  jne region
  ret
  .size region, .-region
  .data
  .balign 16
numbers: .skip 64
