/*
 * Executes single instructions on the host processor, as the oracle of the lifter's tests.
 *
 * Reads cases from standard input until its end and writes one state for each to standard output. A case is the machine
 * code and the state before it; everything that the code may touch is at fixed addresses, so that the caller can put
 * absolute addresses into registers and instructions. Each case: all registers are loaded, the code runs, all are stored.
 *
 * Layout of a case: struct code, struct state. Of a result: struct state. Little-endian, no padding (see native.ts).
 */
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define DATA 0x10000000ul   /* three pages; the state's data is at the start of the second */
#define STATE 0x30000000ul  /* the state that the stubs load and store */
#define CODE 0x40000000ul   /* the instruction, then a jump to leave */
#define TAKEN (CODE + 0x80) /* where branches under test go */
#define DATA_SIZE 1024

struct code {
  uint32_t length;
  uint8_t bytes[28];
};

struct state {
  uint64_t gpr[16]; /* hardware order: rax rcx rdx rbx rsp rbp rsi rdi r8 ... r15 */
  uint64_t rflags;
  uint32_t signal; /* the signal that the instruction raised, 0 if none */
  uint32_t taken;  /* 1 when it left through TAKEN */
  uint8_t fx[512]; /* fxsave64 image: x87, MXCSR, XMM */
  uint8_t data[DATA_SIZE];
  uint16_t selectors[4]; /* es ds fs gs; fs and gs are loaded if not 0, which clears their base */
  uint64_t rip;          /* where the signal found the instruction pointer */
  uint32_t flat;         /* bits 0 and 1: the base of fs and gs is 0 */
  uint32_t unused;
  uint8_t high[256]; /* the high halves of the YMM registers, where the processor has them */
};

/* What XSAVE writes (standard format): the fxsave64 image, the header, the high halves. */
struct area {
  uint8_t fx[512];
  uint64_t present, header[7];
  uint8_t high[256];
};

/* Offsets in struct state, and behind it the stack that the stubs use for flags. */
__asm__(
    ".set STATE, 0x30000000\n"
    ".set AREA, 0x30001800\n"
    ".text\n"
    "enter_case:\n"
    "  push rbx\n  push rbp\n  push r12\n  push r13\n  push r14\n  push r15\n"
    "  mov [STATE + 0x1000], rsp\n"
    "  cmp dword ptr [STATE + 0x1010], 0\n  je 1f\n"
    "  mov eax, 7\n  xor edx, edx\n  xrstor64 [AREA]\n  jmp 2f\n"
    "1: fxrstor64 [AREA]\n"
    "2:\n"
    "  mov es, [STATE + 1680]\n  mov ds, [STATE + 1682]\n"
    "  cmp word ptr [STATE + 1684], 0\n  je 1f\n  mov fs, [STATE + 1684]\n"
    "1: cmp word ptr [STATE + 1686], 0\n  je 1f\n  mov gs, [STATE + 1686]\n"
    "1:\n"
    "  lea rsp, [STATE + 128]\n"
    "  popfq\n"
    "  mov rax, [STATE + 0]\n  mov rcx, [STATE + 8]\n  mov rdx, [STATE + 16]\n  mov rbx, [STATE + 24]\n"
    "  mov rsp, [STATE + 32]\n  mov rbp, [STATE + 40]\n  mov rsi, [STATE + 48]\n  mov rdi, [STATE + 56]\n"
    "  mov r8, [STATE + 64]\n  mov r9, [STATE + 72]\n  mov r10, [STATE + 80]\n  mov r11, [STATE + 88]\n"
    "  mov r12, [STATE + 96]\n  mov r13, [STATE + 104]\n  mov r14, [STATE + 112]\n  mov r15, [STATE + 120]\n"
    "  jmp qword ptr [STATE + 0x1008]\n"
    "leave_taken:\n"
    "  mov dword ptr [STATE + 140], 1\n"
    "leave_case:\n"
    "  mov [STATE + 0], rax\n  mov [STATE + 8], rcx\n  mov [STATE + 16], rdx\n  mov [STATE + 24], rbx\n"
    "  mov [STATE + 32], rsp\n  mov [STATE + 40], rbp\n  mov [STATE + 48], rsi\n  mov [STATE + 56], rdi\n"
    "  mov [STATE + 64], r8\n  mov [STATE + 72], r9\n  mov [STATE + 80], r10\n  mov [STATE + 88], r11\n"
    "  mov [STATE + 96], r12\n  mov [STATE + 104], r13\n  mov [STATE + 112], r14\n  mov [STATE + 120], r15\n"
    "  lea rsp, [STATE + 136]\n"
    "  pushfq\n"
    "  cld\n"
    "  cmp dword ptr [STATE + 0x1010], 0\n  je 1f\n"
    "  mov eax, 7\n  xor edx, edx\n  xsave64 [AREA]\n  jmp 2f\n"
    "1: fxsave64 [AREA]\n"
    "2:\n"
    "  fninit\n"
    "  mov rsp, [STATE + 0x1000]\n"
    "  pop r15\n  pop r14\n  pop r13\n  pop r12\n  pop rbp\n  pop rbx\n"
    "  ret\n");

extern void enter_case(void);
extern char leave_case[], leave_taken[];

static sigjmp_buf faulted;
static struct state *const state = (struct state *)STATE;
static struct area *const area = (struct area *)(STATE + 0x1800);
/* Whether there are YMM registers. */
static int has_high;

static unsigned long fs_base;

static long arch_prctl(long operation, void *argument) {
  long result = SYS_arch_prctl;
  __asm__ volatile("syscall" : "+a"(result) : "D"(operation), "S"(argument) : "rcx", "r11", "memory");
  return result;
}

/* Notes what is in the segment registers and makes the C library's storage reachable again: until then no call of it. */
static void leave_segments(void) {
  unsigned long base;
  __asm__ volatile("mov %0, es" : "=m"(state->selectors[0]));
  __asm__ volatile("mov %0, ds" : "=m"(state->selectors[1]));
  __asm__ volatile("mov %0, fs" : "=m"(state->selectors[2]));
  __asm__ volatile("mov %0, gs" : "=m"(state->selectors[3]));
  arch_prctl(ARCH_GET_FS, &base);
  state->flat = base == 0;
  arch_prctl(ARCH_GET_GS, &base);
  state->flat |= (base == 0) << 1;
  arch_prctl(ARCH_SET_FS, (void *)fs_base);
  arch_prctl(ARCH_SET_GS, (void *)(DATA + 4096));
  __asm__ volatile("mov es, %0\n  mov ds, %0" : : "r"(0));
}

static void on_signal(int number, siginfo_t *info, void *context) {
  /* Order of the kernel's gregs: r8-r15 rdi rsi rbp rbx rdx rax rcx rsp rip efl. */
  static const int order[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  ucontext_t *u = context;
  (void)info;
  leave_segments();
  for (int i = 0; i < 16; i++) state->gpr[i] = (uint64_t)u->uc_mcontext.gregs[order[i]];
  state->rflags = (uint64_t)u->uc_mcontext.gregs[REG_EFL];
  state->rip = (uint64_t)u->uc_mcontext.gregs[REG_RIP];
  memcpy(area, u->uc_mcontext.fpregs, has_high ? sizeof *area : 512);
  state->signal = (uint32_t)number;
  siglongjmp(faulted, 1);
}

static void map(unsigned long address, size_t length, int protection) {
  void *p = mmap((void *)address, length, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (p != (void *)address) {
    perror("mmap");
    exit(1);
  }
}

/* jmp [rip]; .quad target */
static void put_jump(uint8_t *at, const char *target) {
  static const uint8_t jump[6] = {0xff, 0x25, 0, 0, 0, 0};
  memcpy(at, jump, 6);
  memcpy(at + 6, &target, 8);
}

/* Runs `c` from the state `before`; `state` is what it leaves. */
static void run_case(const struct code *c, const struct state *before) {
  uint8_t *code = (uint8_t *)CODE, *data = (uint8_t *)DATA;
  *state = *before;
  memset(code, 0xcc, 0x100);
  memcpy(code, c->bytes, c->length);
  put_jump(code + c->length, leave_case);
  put_jump((uint8_t *)TAKEN, leave_taken);
  memset(data, 0, 3 * 4096);
  memcpy(data + 4096, state->data, DATA_SIZE);
  *(uint64_t *)(STATE + 0x1008) = CODE;
  memset(area, 0, sizeof *area);
  memcpy(area->fx, state->fx, 512);
  memcpy(area->high, state->high, 256);
  area->present = 7;
  if (sigsetjmp(faulted, 0) == 0) {
    enter_case();
    leave_segments();
  } else __asm__ volatile("cld; fninit");
  unsigned int mxcsr = 0x1f80;
  __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
  memcpy(state->data, data + 4096, DATA_SIZE);
  memcpy(state->fx, area->fx, 512);
  if (area->present & 4) memcpy(state->high, area->high, 256);
  else memset(state->high, 0, 256);
}

int main(void) {
  static char alternate[65536];
  map(CODE, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
  map(DATA, 3 * 4096, PROT_READ | PROT_WRITE);
  map(STATE, 2 * 4096, PROT_READ | PROT_WRITE);

  stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  int signals[] = {SIGFPE, SIGILL, SIGSEGV, SIGBUS, SIGTRAP};
  for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
  arch_prctl(ARCH_GET_FS, &fs_base);
  arch_prctl(ARCH_SET_GS, (void *)(DATA + 4096));

  has_high = __builtin_cpu_supports("avx") != 0;
  *(uint32_t *)(STATE + 0x1010) = has_high;
  struct code c;
  static struct state before;
  while (fread(&c, sizeof c, 1, stdin) == 1 && fread(&before, sizeof before, 1, stdin) == 1) {
    /*
     * A hypervisor that executes an instruction in the processor's place and cannot answers with an invalid opcode (seen
     * once in a whole run of the tests in a virtual machine with shadow paging). What is invalid is so every time.
     */
    int attempts = 0;
    do run_case(&c, &before);
    while (state->signal == SIGILL && ++attempts < 4);
    if (fwrite(state, sizeof *state, 1, stdout) != 1) return 1;
  }
  return 0;
}
