# A straight block that is called again and again: registers, flags that nobody reads, a return.
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
  lea 4(%rax,%rcx,2), %rdx
  add %rdx, %rax
  imul %rdx, %rcx
  xor %ecx, %esi
  movzbl %al, %eax
  ret
  .size region, .-region
