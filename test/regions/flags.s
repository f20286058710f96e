# Flags that another block reads: a comparison, then a branch on the carry and a set on the sign.
  .globl _start
_start:
  mov $100, %ebx
1:
  mov %ebx, %ecx
  call region
  sub $1, %ebx
  jne 1b
  mov $231, %eax
  xor %edi, %edi
  syscall
  .type region, @function
region:
  cmp $50, %ecx
  jb 1f
  adc $0, %rax
  ret
1:
  sets %dl
  sbb $1, %rax
  cmovg %rcx, %rax
  ret
  .size region, .-region
