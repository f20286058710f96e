# Lookups at places that a hash chooses, where nothing is stored: they ask whether their page is quiet, the array beside them does not.
  .globl _start
_start:
  mov $100, %ebp
1:
  lea table(%rip), %rsi
  lea numbers(%rip), %rdi
  mov $3, %ecx
  call region
  sub $1, %ebp
  jne 1b
  mov $231, %eax
  xor %edi, %edi
  syscall
  .type region, @function
region:
  imul $0x61c88647, (%rdi), %rdx
  shr $60, %rdx
  add (%rsi,%rdx,8), %rax
  add $8, %rdi
  sub $1, %ecx
  jne region
  ret
  .size region, .-region
  .data
table: .skip 128
numbers: .quad 1, 2, 3
