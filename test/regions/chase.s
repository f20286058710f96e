# A list is walked while an array is read: loads of the list's nodes ask whether their page is quiet, those of the array do not.
  .globl _start
_start:
  mov $100, %ebp
1:
  lea first(%rip), %rsi
  lea numbers(%rip), %rdi
  call region
  sub $1, %ebp
  jne 1b
  mov $231, %eax
  xor %edi, %edi
  syscall
  .type region, @function
region:
  add 8(%rsi), %rax
  add (%rdi), %rdx
  add $8, %rdi
  mov (%rsi), %rsi
  test %rsi, %rsi
  jne region
  ret
  .size region, .-region
  .data
first: .quad second, 1
second: .quad third, 2
third: .quad 0, 3
numbers: .skip 24
