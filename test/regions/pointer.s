# A call through a pointer, which has led to two functions that call nothing.
  .globl _start
_start:
  mov $100, %ebx
  xor %edx, %edx
1:
  call region
  sub $1, %ebx
  jne 1b
  mov $231, %eax
  xor %edi, %edi
  syscall
  .type region, @function
region:
  mov %ebx, %eax
  and $1, %eax
  call *table(,%rax,8)
  ret
  .size region, .-region
  .type one, @function
one:
  add $1, %rdx
  ret
  .size one, .-one
  .type twice, @function
twice:
  add %rdx, %rdx
  ret
  .size twice, .-twice
  .data
table:
  .quad one, twice
