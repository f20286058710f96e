# A switch in a loop, by a table of offsets as compilers make it.
  .globl _start
_start:
  mov $100, %ebp
1:
  mov $12, %ecx
  call region
  sub $1, %ebp
  jne 1b
  mov $231, %eax
  xor %edi, %edi
  syscall
  .type region, @function
region:
  mov %ecx, %eax
  and $3, %eax
  lea table(%rip), %rdx
  movslq (%rdx,%rax,4), %rax
  add %rdx, %rax
  jmp *%rax
zero:
  add $1, %rsi
  jmp next
one:
  add $2, %rsi
  jmp next
two:
  add %rsi, %rsi
three:
  xor %rdi, %rsi
next:
  sub $1, %ecx
  jne region
  ret
  .size region, .-region
  .section .rodata
  .balign 4
table: .long zero-table, one-table, two-table, three-table
