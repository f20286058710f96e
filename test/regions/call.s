# A call, and what comes back; the caller keeps a register on the stack. The callee calls another function, so that it is not in line.
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
  call callee
  pop %rcx
  add %rax, %rcx
  ret
  .size region, .-region
  .type callee, @function
callee:
  call inner
  add $1, %rax
  ret
  .size callee, .-callee
  .type inner, @function
inner:
  mov %rcx, %rax
  ret
  .size inner, .-inner
