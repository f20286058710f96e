/* Sandboxes that a program builds for itself: seccomp's programs, what they say, and strictness. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#define TRY(call) do { errno = 0; long r = (long)(call); int e = errno; printf("%s %ld %d\n", #call, r, e); fflush(stdout); } while (0)
#define NUMBER BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define IF(n, then) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, n, 0, 1), BPF_STMT(BPF_RET | BPF_K, then)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
static int load(struct sock_filter *f, int n) {
  struct sock_fprog p = {n, f};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p);
}
#define LOAD(...) ({ struct sock_filter f[] = {__VA_ARGS__}; load(f, sizeof f / sizeof *f); })
static void trapped(int signal, siginfo_t *info, void *context) {
  printf("trapped %d %d call %d arch %x\n", signal, info->si_code, info->si_syscall, info->si_arch);
}
static void *thread(void *unused) { return (void *)(long)(getppid() < 0 ? errno : 0); }
static void child(const char *name, void (*run)(void)) {
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) { run(); fflush(stdout); _exit(7); }
  int status;
  waitpid(pid, &status, 0);
  printf("%s: %x\n", name, status);
}
static void errors(void) {
  struct sock_filter none[] = {ALLOW};
  struct sock_fprog zero = {0, none}, wild = {1, (void *)8};
  TRY(prctl(PR_GET_SECCOMP, 0, 0, 0, 0));
  TRY(syscall(SYS_seccomp, 9, 0, 0));
  TRY(syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, 0));
  TRY(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0x1000, &zero));
  TRY(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, 8));
  unsigned actions[] = {SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_KILL_THREAD, SECCOMP_RET_TRAP, SECCOMP_RET_ERRNO, SECCOMP_RET_TRACE, SECCOMP_RET_LOG, SECCOMP_RET_ALLOW, 0x1234};
  for (int i = 0; i < 8; i++) TRY(syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &actions[i]));
  TRY(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  TRY(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &zero));
  TRY(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &wild));
  TRY(prctl(PR_SET_SECCOMP, 5, 0));
  TRY(LOAD(NUMBER));
  TRY(LOAD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 2), ALLOW));
  TRY(LOAD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 64), ALLOW));
  TRY(LOAD(BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0), ALLOW));
  TRY(LOAD(BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0), ALLOW));
  TRY(LOAD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 1), ALLOW));
  TRY(LOAD(BPF_STMT(BPF_ALU | BPF_DIV | BPF_K, 0), ALLOW));
  TRY(LOAD(BPF_STMT(BPF_ALU | BPF_MOD | BPF_K, 3), ALLOW));
  TRY(LOAD(BPF_STMT(BPF_ALU | BPF_LSH | BPF_K, 32), ALLOW));
  TRY(LOAD(BPF_STMT(BPF_ST, 16), ALLOW));
  TRY(LOAD(BPF_STMT(BPF_LDX | BPF_W | BPF_ABS, 0), ALLOW));
  TRY(LOAD(BPF_STMT(0xffff, 0), ALLOW));
}
static void refusing(void) {
  TRY(LOAD(NUMBER, IF(SYS_getppid, SECCOMP_RET_ERRNO | EPERM), IF(SYS_getpriority, SECCOMP_RET_ERRNO | 0), IF(SYS_getuid, SECCOMP_RET_ERRNO | 60000), IF(SYS_getgid, SECCOMP_RET_TRACE), IF(SYS_sync, SECCOMP_RET_LOG), ALLOW));
  TRY(prctl(PR_GET_SECCOMP, 0, 0, 0, 0));
  TRY(getppid());
  TRY(getpriority(0, 0));
  TRY(syscall(SYS_getuid));
  TRY(syscall(SYS_getgid));
  TRY(syscall(SYS_sync));
  // The strictest of several holds.
  TRY(LOAD(NUMBER, IF(SYS_getppid, SECCOMP_RET_ERRNO | EBADF), IF(SYS_sync, SECCOMP_RET_TRAP), ALLOW));
  TRY(getppid());
  pthread_t t;
  void *result;
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, &result);
  printf("thread %ld\n", (long)result);
  fflush(stdout);
  if (fork() == 0) { TRY(getppid()); _exit(0); }
  wait(0);
  execl("/bin/sh", "sh", "-c", "echo $PPID; grep -E 'Seccomp:|NoNew' /proc/self/status", NULL);
}
static void computing(void) {
  // (first argument * 3 ^ 5) / 2, kept in a word, tells which error.
  TRY(LOAD(NUMBER, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close, 1, 0), ALLOW,
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)), BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 100, 1, 0), ALLOW,
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x100, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 77),
    BPF_STMT(BPF_ALU | BPF_SUB | BPF_K, 100), BPF_STMT(BPF_ALU | BPF_MUL | BPF_K, 3), BPF_STMT(BPF_ALU | BPF_XOR | BPF_K, 5),
    BPF_STMT(BPF_MISC | BPF_TAX, 0), BPF_STMT(BPF_LD | BPF_IMM, 2), BPF_STMT(BPF_ST, 3), BPF_STMT(BPF_MISC | BPF_TXA, 0), BPF_STMT(BPF_LDX | BPF_MEM, 3),
    BPF_STMT(BPF_ALU | BPF_DIV | BPF_X, 0), BPF_STMT(BPF_ALU | BPF_OR | BPF_K, SECCOMP_RET_ERRNO), BPF_STMT(BPF_ALU | BPF_NEG, 0), BPF_STMT(BPF_ALU | BPF_NEG, 0), BPF_STMT(BPF_RET | BPF_A, 0)));
  TRY(close(99)); TRY(close(101)); TRY(close(107)); TRY(close(130)); TRY(close(300));
}
static void trapping(void) {
  struct sigaction action = {.sa_sigaction = trapped, .sa_flags = SA_SIGINFO};
  sigaction(SIGSYS, &action, 0);
  TRY(LOAD(NUMBER, IF(SYS_sync, SECCOMP_RET_TRAP | 5), ALLOW));
  TRY(syscall(SYS_sync));
}
static void trappedToDeath(void) { LOAD(NUMBER, IF(SYS_sync, SECCOMP_RET_TRAP), ALLOW); syscall(SYS_sync); }
static void killing(void) { LOAD(NUMBER, IF(SYS_sync, SECCOMP_RET_KILL_PROCESS), ALLOW); syscall(SYS_sync); }
static void unknown(void) { LOAD(NUMBER, IF(SYS_sync, 0x12340000), ALLOW); syscall(SYS_sync); }
static void strict(void) { prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT); write(1, "strict\n", 7); syscall(SYS_exit, 3); }
static void strictest(void) { prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT); getppid(); }
int main(void) {
  if (geteuid() == 0) setresuid(1000, 1000, 1000);
  child("before", strict);
  errors();
  child("refusing", refusing);
  child("computing", computing);
  child("trapping", trapping);
  child("trapped", trappedToDeath);
  child("killing", killing);
  child("unknown", unknown);
  child("strict", strict);
  child("strictest", strictest);
  return 0;
}
