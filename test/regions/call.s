# A call, and what comes back; the caller keeps a register on the stack. The callee moves its own in a way that keeps it from being in line.
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
  mov %rsp, %r8
  lea 1(%rcx), %rax
  mov %r8, %rsp
  ret
  .size callee, .-callee
