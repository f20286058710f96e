# Two loops, one in the other: the region can be entered at the inner one, by way of a gate before each loop around it.
  .globl _start
_start:
  mov $100, %ebp
1:
  mov $4, %ecx
  call region
  sub $1, %ebp
  jne 1b
  mov $231, %eax
  xor %edi, %edi
  syscall
  .type region, @function
region:
  push %rbx
2:
  mov $16, %edx
3:
  add %rdx, %rax
  sub $1, %edx
  jne 3b
  sub $1, %ecx
  jne 2b
  pop %rbx
  ret
  .size region, .-region
