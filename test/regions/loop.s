# A loop that sums an array: one load, one carried sum, a counter.
  .globl _start
_start:
  mov $100, %ebp
1:
  lea numbers(%rip), %rsi
  mov $16, %ecx
  xor %eax, %eax
  call region
  sub $1, %ebp
  jne 1b
  mov $231, %eax
  xor %edi, %edi
  syscall
  .type region, @function
region:
  add (%rsi), %rax
  add $8, %rsi
  sub $1, %ecx
  jne region
  ret
  .size region, .-region
  .data
numbers: .skip 128
