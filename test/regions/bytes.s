# Bytes are copied one by one: loads and stores narrower than a step.
  .globl _start
_start:
  mov $100, %ebp
1:
  lea from(%rip), %rsi
  lea to(%rip), %rdi
  mov $16, %ecx
  call region
  sub $1, %ebp
  jne 1b
  mov $231, %eax
  xor %edi, %edi
  syscall
  .type region, @function
region:
  movzbl (%rsi,%rcx), %eax
  mov %al, (%rdi,%rcx)
  sub $1, %rcx
  jns region
  ret
  .size region, .-region
  .data
from: .skip 32
to: .skip 32
