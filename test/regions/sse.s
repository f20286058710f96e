# y = a * x + y over doubles, two at a time.
  .globl _start
_start:
  mov $100, %ebp
1:
  lea x(%rip), %rsi
  lea y(%rip), %rdi
  mov $16, %ecx
  call region
  sub $1, %ebp
  jne 1b
  mov $231, %eax
  xor %edi, %edi
  syscall
  .type region, @function
region:
  movapd -16(%rsi,%rcx,8), %xmm1
  mulpd %xmm0, %xmm1
  addpd -16(%rdi,%rcx,8), %xmm1
  movapd %xmm1, -16(%rdi,%rcx,8)
  sub $2, %rcx
  jne region
  ret
  .size region, .-region
  .data
  .balign 16
x: .skip 128
y: .skip 128
