# A bytecode loop with a computed jump behind each instruction's code: the table of targets is a loop, and a way into it.
  .globl _start
_start:
  mov $100, %ebp
1:
  lea code(%rip), %rcx
  call region
  sub $1, %ebp
  jne 1b
  mov $231, %eax
  xor %edi, %edi
  syscall
  .type region, @function
region:
  lea table(%rip), %rdx
  movzbl (%rcx), %eax
  jmp *(%rdx,%rax,8)
one:
  add $1, %rsi
  add $1, %rcx
  movzbl (%rcx), %eax
  jmp *(%rdx,%rax,8)
two:
  add %rsi, %rsi
  add $1, %rcx
  movzbl (%rcx), %eax
  jmp *(%rdx,%rax,8)
done:
  ret
  .size region, .-region
  .section .rodata
code: .byte 0, 1, 0, 0, 1, 1, 0, 2
  .balign 8
table: .quad one, two, done
