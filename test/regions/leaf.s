# A call in line, of a function that calls nothing; the caller keeps a register on the stack.
  .globl _start
_start:
  mov $100, %ebx
1:
  call region
  sub $1, %ebx
  jne 1b
  mov $231, %eax
  xor %edi, %edi
  syscall
  .type region, @function
region:
  push %rcx
  call leaf
  pop %rcx
  add %rax, %rcx
  ret
  .size region, .-region
  .type leaf, @function
leaf:
  lea 1(%rcx), %rax
  ret
  .size leaf, .-leaf
