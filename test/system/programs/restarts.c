#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <asm/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A thread that is interrupted in a restartable sequence goes on at its abort handler; and what it has in FS. */

asm(".pushsection .data.sequence, \"aw\"\n"
    ".balign 32\n"
    "sequence: .long 0, 0\n"
    ".quad sequence_start, sequence_end - sequence_start, sequence_abort\n"
    "wrong: .long 0, 0\n"
    ".quad sequence_start, sequence_end - sequence_start, wrong_abort\n"
    ".popsection\n"
    ".text\n"
    /* Adds to a counter until the flag is set. */
    ".globl run_sequence\n"
    "run_sequence:\n"
    "  mov %rdx, 8(%rsi)\n"
    "sequence_start:\n"
    "1: incq (%rcx)\n"
    "  cmpl $0, (%rdi)\n"
    "  je 1b\n"
    "  nop\n"
    "sequence_end:\n"
    "  xor %eax, %eax\n"
    "  ret\n"
    ".long 0x53053053\n"
    "sequence_abort:\n"
    "  mov $1, %eax\n"
    "  ret\n"
    ".long 0x12345678\n"
    "wrong_abort:\n"
    "  mov $2, %eax\n"
    "  ret\n");

extern char sequence, wrong;
extern int run_sequence(volatile int *flag, struct rseq *area, void *sequence, volatile long *count);

static volatile int flag;
static volatile long count;

static struct rseq *area(void) { return (struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset); }

static int handled;
static void on_alarm(int signal) {
  flag = 1;
  handled++;
  printf("in the handler %d\n", area()->rseq_cs == 0);
}

/* Not before the sequence has been begun, so that it is there that it is interrupted. */
static void *setter(void *before) {
  while (count == *(long *)before) sched_yield();
  flag = 1;
  return NULL;
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  sched_getaffinity(0, sizeof one, &one);
  int first = 0;
  while (!CPU_ISSET(first, &one)) first++;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  sched_setaffinity(0, sizeof one, &one);
  if (__rseq_size == 0) return 0;

  flag = 1;
  printf("undisturbed %d\n", run_sequence(&flag, area(), &sequence, &count));
  area()->rseq_cs = 0;

  flag = 0;
  signal(SIGALRM, on_alarm);
  struct itimerval timer = {.it_value.tv_usec = 10000};
  setitimer(ITIMER_REAL, &timer, NULL);
  int aborted;
  do aborted = run_sequence(&flag, area(), &sequence, &count);
  while (aborted && !handled);
  printf("interrupted %d handled %d counted %d left %d\n", aborted, handled, count > 0, area()->rseq_cs != 0);

  /* On one processor another thread runs only in between. */
  flag = 0;
  pthread_t other;
  long before = count;
  pthread_create(&other, NULL, setter, &before);
  aborted = run_sequence(&flag, area(), &sequence, &count);
  while (aborted && !flag) aborted = run_sequence(&flag, area(), &sequence, &count);
  printf("switched %d\n", flag && area()->rseq_cs == 0);
  pthread_join(other, NULL);

  /* Outside of the sequence nothing happens, but the word is cleared. */
  area()->rseq_cs = (unsigned long)&sequence;
  raise(SIGALRM);
  printf("outside %d\n", area()->rseq_cs == 0);

  pid_t child = fork();
  if (child == 0) {
    flag = 0;
    setitimer(ITIMER_REAL, &timer, NULL);
    run_sequence(&flag, area(), &wrong, &count);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  printf("wrong signature %d\n", WTERMSIG(status));

  unsigned long base = 0, other_base = 0x12345;
  syscall(SYS_arch_prctl, ARCH_GET_FS, &base);
  printf("base %d\n", base == (unsigned long)__builtin_thread_pointer());
  syscall(SYS_arch_prctl, ARCH_SET_GS, other_base);
  child = fork();
  if (child == 0) {
    syscall(SYS_arch_prctl, ARCH_GET_GS, &base);
    printf("child's %lx\n", base);
    _exit(0);
  }
  waitpid(child, &status, 0);
  syscall(SYS_arch_prctl, ARCH_GET_GS, &base);
  printf("own %lx\n", base);
  asm volatile("wrgsbase %0" : : "r"(0x7654321ul));
  syscall(SYS_arch_prctl, ARCH_GET_GS, &base);
  printf("written by the program %lx\n", base);
}
