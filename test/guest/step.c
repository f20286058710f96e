/*
 * Runs a program one instruction at a time under ptrace and counts the instructions that it retires, exactly:
 *
 *     step -o REPORT [-c CPUID] [-t TRACE] [-f FROM] [-u USER] NAME=VALUE... -- PROGRAM [ARGUMENT]...
 *
 * The environment is exactly the given strings; stdin, stdout, stderr and the directory are the caller's. REPORT gets
 * "instructions N" and "exit STATUS" or "signal NUMBER"; TRACE every instruction's address, 8 bytes each.
 *
 * What retires: every step is one instruction, except that a rep string instruction traps after each iteration (SDM
 * volume 3, 17.3.1.4): it runs to a breakpoint behind it and counts one. A signal's delivery retires nothing. The
 * last system call of the process never comes back to be counted, and is counted at the exit.
 *
 * With -f, that is so for the first FROM instructions, in which C libraries ask for CPUID. The rest runs freely, and the
 * processor's counter counts it, threads included. REPORT then gets "faults N" besides:
 * the page faults, each of which the counter takes for an instruction (as it does interrupts).
 *
 * What a program's instruction count depends on beside its input is made the same on every machine:
 *  - CPUID, from which C libraries choose routines and loop over cache descriptions: with -c, each cpuid instruction gives the
 *    row of a table, "leaf subleaf eax ebx ecx edx" in hexadecimal, subleaf "*" for any; zeros where no row fits; and
 *    XGETBV, which tells what of leaf 13 is in use: all of it;
 *  - what the kernel says of itself in the auxiliary vector: AT_HWCAP and AT_HWCAP2 agree with that CPUID, and there is no vDSO, no
 *    rseq area size; the rest moves up so that the stack is laid out as the kernel lays out what is left;
 *  - the user: with -u, where root runs this;
 *  - addresses: no randomisation; a stack limit of 8 MiB; mmap starts below a round address, as in the emulator, for musl's free looks at
 *    the bits in which two addresses differ; it goes downwards without gaps for huge pages.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

static void fail(const char *what) {
  fprintf(stderr, "step: %s: %s\n", what, strerror(errno));
  exit(125);
}

static size_t read_guest(uint64_t address, void *to, size_t size) {
  struct iovec local = {to, size}, remote = {(void *)address, size};
  ssize_t got = process_vm_readv(child, &local, 1, &remote, 1, 0);
  return got < 0 ? 0 : (size_t)got;
}

static uint64_t peek(uint64_t address) {
  errno = 0;
  long word = ptrace(PTRACE_PEEKDATA, child, address, 0);
  if (errno != 0) fail("peek");
  return (uint64_t)word;
}

static void poke(uint64_t address, uint64_t word) {
  if (ptrace(PTRACE_POKEDATA, child, address, word) != 0) fail("poke");
}

static struct user_regs_struct registers(void) {
  struct user_regs_struct regs;
  if (ptrace(PTRACE_GETREGS, child, 0, &regs) != 0) fail("registers");
  return regs;
}

static void set_registers(struct user_regs_struct *regs) {
  if (ptrace(PTRACE_SETREGS, child, 0, regs) != 0) fail("registers");
}

/* --- CPUID */

struct leaf {
  uint32_t leaf, subleaf, any, eax, ebx, ecx, edx;
};
static struct leaf leaves[256];
static int leaf_count;
static int has_table;

static void read_leaves(const char *path) {
  FILE *file = fopen(path, "r");
  if (file == NULL) fail(path);
  char subleaf[16];
  struct leaf l;
  while (fscanf(file, "%x %15s %x %x %x %x", &l.leaf, subleaf, &l.eax, &l.ebx, &l.ecx, &l.edx) == 6) {
    l.any = strcmp(subleaf, "*") == 0;
    l.subleaf = (uint32_t)strtoul(subleaf, NULL, 16);
    leaves[leaf_count++] = l;
  }
  fclose(file);
  has_table = 1;
}

static struct leaf find_leaf(uint32_t leaf, uint32_t subleaf) {
  for (int i = 0; i < leaf_count; i++)
    if (leaves[i].leaf == leaf && (leaves[i].any || leaves[i].subleaf == subleaf)) return leaves[i];
  return (struct leaf){0};
}

static void answer_cpuid(void) {
  struct user_regs_struct regs = registers();
  struct leaf l = find_leaf((uint32_t)regs.rax, (uint32_t)regs.rcx);
  regs.rax = l.eax;
  regs.rbx = l.ebx;
  regs.rcx = l.ecx;
  regs.rdx = l.edx;
  regs.rip += 2;
  set_registers(&regs);
}

/* The state that the processor saves, as leaf 13 has it. */
static void answer_xgetbv(void) {
  struct user_regs_struct regs = registers();
  regs.rax = find_leaf(13, 0).eax;
  regs.rdx = 0;
  regs.rip += 3;
  set_registers(&regs);
}

/* --- going on */

static int status;

/* Lets the child go on; the signal that it then stops with, 0 when it is gone. */
static int go(int request, int signal) {
  if (ptrace(request, child, 0, signal) != 0) fail("go on");
  if (waitpid(child, &status, 0) != child) fail("wait");
  return WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
}

/* Makes the child perform a system call where it stands. */
static uint64_t inject(uint64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e) {
  struct user_regs_struct before = registers(), regs = before;
  uint64_t word = peek(regs.rip);
  poke(regs.rip, (word & ~0xffffull) | 0x050f);
  regs.rax = number;
  regs.rdi = a;
  regs.rsi = b;
  regs.rdx = c;
  regs.r10 = d;
  regs.r8 = e;
  set_registers(&regs);
  if (go(PTRACE_SINGLESTEP, 0) != SIGTRAP) fail("injected system call");
  uint64_t result = registers().rax;
  poke(before.rip, word);
  set_registers(&before);
  return result;
}

/* --- where mmap starts */

#define MMAP_TOP 0x7ffff0000000ull
/* Without randomisation mappings go below here: 128 MiB under the end of the address space, for the stack. */
#define MMAP_BASE 0x7ffff7fff000ull

static void fill(uint64_t start, uint64_t end) {
  if (start >= end) return;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE;
  if (inject(SYS_mmap, start, end - start, PROT_NONE, (uint64_t)flags, (uint64_t)-1) != start) fail("fill");
}

static void fill_above_mmap_top(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/maps", child);
  FILE *maps = fopen(path, "r");
  if (maps == NULL) fail(path);
  unsigned long long start, end, free_from = MMAP_TOP;
  while (fscanf(maps, "%llx-%llx%*[^\n]", &start, &end) == 2) {
    if (end <= free_from || start >= MMAP_BASE) continue;
    fill(free_from, start);
    free_from = end;
  }
  fill(free_from, MMAP_BASE);
  fclose(maps);
}

/*
 * Kernels since 6.7 align large mappings of files for huge pages, which changes the order of libraries, and with it what
 * the dynamic linker does to sort them. So a mapping that may lie anywhere goes where it went before: the highest gap that holds
 * it. The registers must be put back afterwards; 0 when there is nothing to do.
 */
static int place_mapping(struct user_regs_struct *before) {
  struct user_regs_struct regs = *before = registers();
  if (regs.rax != SYS_mmap || regs.rdi != 0 || (regs.r10 & (MAP_FIXED | MAP_FIXED_NOREPLACE)) || regs.rsi == 0) return 0;
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/maps", child);
  FILE *maps = fopen(path, "r");
  if (maps == NULL) fail(path);
  uint64_t size = (regs.rsi + 4095) & ~4095ull, gap_end = 0;
  unsigned long long start, end, free_from = 1 << 16;
  while (fscanf(maps, "%llx-%llx%*[^\n]", &start, &end) == 2) {
    uint64_t until = start < MMAP_BASE ? start : MMAP_BASE;
    if (until > free_from && until - free_from >= size) gap_end = until;
    if (end > free_from) free_from = end;
  }
  fclose(maps);
  if (gap_end == 0) return 0;
  regs.rdi = gap_end - size;
  regs.r10 |= MAP_FIXED_NOREPLACE;
  set_registers(&regs);
  return 1;
}

static void unplace_mapping(const struct user_regs_struct *before) {
  struct user_regs_struct regs = registers();
  regs.rdi = before->rdi;
  regs.r10 = before->r10;
  set_registers(&regs);
}

/* --- the stack that the kernel left */

static const uint64_t KEPT[] = {AT_PHDR,   AT_PHENT, AT_PHNUM, AT_PAGESZ, AT_BASE,   AT_FLAGS,  AT_ENTRY,
                                AT_UID,    AT_EUID,  AT_GID,   AT_EGID,   AT_SECURE, AT_RANDOM, AT_EXECFN,
                                AT_CLKTCK, AT_HWCAP, AT_HWCAP2, AT_PLATFORM, 51 /* AT_MINSIGSTKSZ */};

static int is_kept(uint64_t type) {
  for (size_t i = 0; i < sizeof KEPT / sizeof *KEPT; i++)
    if (KEPT[i] == type) return 1;
  return 0;
}

static void normalise_stack(void) {
  struct user_regs_struct regs = registers();
  uint64_t from = regs.rsp;
  uint64_t capacity = 1 << 16, count = 0;
  uint64_t *words = malloc(capacity * sizeof *words);
  uint64_t argc = words[count++] = peek(from);
  uint64_t at = from + 8;
  for (uint64_t i = 0; i <= argc; i++, at += 8) words[count++] = peek(at);
  for (uint64_t word = 1; word != 0; at += 8) {
    if (count + 64 > capacity) fail("environment too large");
    words[count++] = word = peek(at);
  }
  uint64_t random = 0;
  for (uint64_t type = 1; type != AT_NULL; at += 16) {
    type = peek(at);
    uint64_t value = peek(at + 8);
    if (type == AT_RANDOM) random = value;
    if (type == AT_HWCAP && has_table) value = find_leaf(1, 0).edx;
    if (type == AT_HWCAP2 && has_table) value = 0;
    if (type != AT_NULL && !is_kept(type)) continue;
    words[count++] = type;
    words[count++] = value;
  }
  /* create_elf_tables of fs/binfmt_elf.c: the random bytes are the lowest of what lies above the vector. */
  uint64_t to = (random - 8 * count) & ~15ull;
  if (to < from) fail("the stack's words");
  for (uint64_t i = 0; i < count; i++) poke(to + 8 * i, words[i]);
  for (uint64_t below = from; below < to; below += 8) poke(below, 0);
  free(words);
  regs.rsp = to;
  set_registers(&regs);
}

/* --- kinds of instruction, remembered by address: code that was executed does not change in the tests' programs */

enum { UNKNOWN, PLAIN, CPUID, XGETBV, SYSCALL, REP /* plus the length */ };
#define SLOTS (1u << 20)
static struct {
  uint64_t address;
  unsigned kind;
} kinds[SLOTS];

static unsigned examine(uint64_t address) {
  uint8_t code[16] = {0};
  size_t size = read_guest(address, code, 15);
  if (size < 15) size = read_guest(address, code, 4096 - address % 4096 < 15 ? 4096 - address % 4096 : 15);
  size_t at = 0;
  int repeated = 0;
  for (; at < size && (code[at] == 0x66 || code[at] == 0x67 || code[at] == 0xf2 || code[at] == 0xf3); at++)
    if (code[at] >= 0xf2) repeated = 1;
  if ((code[at] & 0xf0) == 0x40) at++;
  int is_string = (code[at] >= 0xa4 && code[at] <= 0xa7) || (code[at] >= 0xaa && code[at] <= 0xaf);
  if (repeated && is_string) return REP + (unsigned)at + 1;
  if (code[at] == 0x0f && code[at + 1] == 0xa2) return CPUID;
  if (code[at] == 0x0f && code[at + 1] == 0x01 && code[at + 2] == 0xd0) return XGETBV;
  if (code[at] == 0x0f && code[at + 1] == 0x05) return SYSCALL;
  return PLAIN;
}

static unsigned kind_of(uint64_t address) {
  unsigned slot = (unsigned)(address * 0x9e3779b97f4a7c15ull >> 44);
  if (kinds[slot].kind == UNKNOWN || kinds[slot].address != address) {
    kinds[slot].address = address;
    kinds[slot].kind = examine(address);
  }
  return kinds[slot].kind;
}

/* --- stepping */

/* Whether the child has a handler for a signal. */
static int is_caught(int signal) {
  char line[256];
  unsigned long long caught = 0;
  snprintf(line, sizeof line, "/proc/%d/status", child);
  FILE *state = fopen(line, "r");
  if (state == NULL) fail(line);
  while (fgets(line, sizeof line, state) != NULL)
    if (sscanf(line, "SigCgt: %llx", &caught) == 1) break;
  fclose(state);
  return (int)(caught >> (signal - 1) & 1);
}

/* Runs the rep instruction at `address` to its end; as go. */
static int run_repeated(uint64_t address, unsigned length, int signal) {
  uint64_t next = address + length;
  uint64_t word = peek(next);
  poke(next, (word & ~0xffull) | 0xcc);
  int stopped = go(PTRACE_CONT, signal);
  if (stopped == 0) return 0;
  poke(next, word);
  if (stopped == SIGTRAP) {
    struct user_regs_struct regs = registers();
    regs.rip = next;
    set_registers(&regs);
  }
  return stopped;
}

/* --- the processor's counters */

/* Of the child and the threads that it starts from now on, in user mode. */
static int counter(uint32_t type, uint64_t config) {
  struct perf_event_attr attributes = {.type = type,
                                       .size = sizeof attributes,
                                       .config = config,
                                       .inherit = 1,
                                       .inherit_thread = 1,
                                       .exclude_kernel = 1,
                                       .exclude_hv = 1};
  long fd = syscall(SYS_perf_event_open, &attributes, child, -1, -1, 0);
  if (fd < 0) fail("perf_event_open");
  return (int)fd;
}

static uint64_t counted(int fd) {
  uint64_t value;
  if (read(fd, &value, sizeof value) != sizeof value) fail("counter");
  return value;
}

int main(int argc, char **argv) {
  const char *report = NULL;
  uint64_t from = UINT64_MAX;
  uid_t user = geteuid();
  FILE *trace = NULL;
  int at = 1;
  for (; at + 1 < argc && argv[at][0] == '-' && argv[at][1] != '-'; at += 2) {
    if (argv[at][1] == 'o') report = argv[at + 1];
    if (argv[at][1] == 'u') user = (uid_t)atoi(argv[at + 1]);
    if (argv[at][1] == 'f') from = strtoull(argv[at + 1], NULL, 10);
    if (argv[at][1] == 'c') read_leaves(argv[at + 1]);
    if (argv[at][1] == 't' && (trace = fopen(argv[at + 1], "wb")) == NULL) fail(argv[at + 1]);
  }
  char **environment = argv + at;
  while (at < argc && strcmp(argv[at], "--") != 0) at++;
  if (report == NULL || at + 1 >= argc) {
    fprintf(stderr, "usage: step -o REPORT [-c CPUID] [-t TRACE] [-f FROM] [-u USER] NAME=VALUE... -- PROGRAM [ARGUMENT]...\n");
    return 125;
  }
  argv[at] = NULL;
  char **command = argv + at + 1;

  /* Both on one processor: a switch there is cheaper than one across. */
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(sched_getcpu(), &here);
  sched_setaffinity(0, sizeof here, &here);

  child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    struct rlimit stack;
    getrlimit(RLIMIT_STACK, &stack);
    stack.rlim_cur = 8 << 20;
    setrlimit(RLIMIT_STACK, &stack);
    if (personality(ADDR_NO_RANDOMIZE) < 0) fail("personality");
    /* Programs ask whether they run as root; only root can be another user. */
    if (geteuid() == 0 && user != 0 && (setgid(user) != 0 || setuid(user) != 0)) fail("user");
    if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) fail("ptrace");
    execve(command[0], command, environment);
    fprintf(stderr, "step: %s: %s\n", command[0], strerror(errno));
    _exit(124);
  }
  if (waitpid(child, &status, 0) != child) fail("wait");
  if (!WIFSTOPPED(status)) return 125;
  ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_EXITKILL);
  fill_above_mmap_top();
  normalise_stack();

  uint64_t count = 0, faults = 0;
  int is_free = 0;
  for (int signal = 0;;) {
    if (count >= from) {
      int instructions = counter(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
      int page_faults = counter(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
      while ((signal = go(PTRACE_CONT, signal)) != 0) continue;
      count += counted(instructions);
      faults = counted(page_faults);
      is_free = 1;
      break;
    }
    errno = 0;
    uint64_t rip = (uint64_t)ptrace(PTRACE_PEEKUSER, child, offsetof(struct user_regs_struct, rip), 0);
    if (errno != 0) fail("rip");
    unsigned kind = kind_of(rip);
    int stopped = SIGTRAP, is_entered = 0;
    struct user_regs_struct before;
    if (signal != 0 && is_caught(signal)) {
      /* The kernel stops before the handler's first instruction. */
      stopped = go(PTRACE_SINGLESTEP, signal);
      is_entered = stopped == SIGTRAP;
    }
    else if (kind == CPUID && has_table && signal == 0) answer_cpuid();
    else if (kind == XGETBV && has_table && signal == 0) answer_xgetbv();
    else if (kind > REP) stopped = run_repeated(rip, kind - REP, signal);
    else if (kind == SYSCALL && signal == 0 && place_mapping(&before)) {
      stopped = go(PTRACE_SINGLESTEP, 0);
      if (stopped != 0) unplace_mapping(&before);
    }
    else stopped = go(PTRACE_SINGLESTEP, signal);
    /* Stopped by another signal, the instruction did not retire: a fault, or a signal that comes before it. */
    if (!is_entered) {
      if (stopped == 0 || stopped == SIGTRAP) count++;
      if (trace != NULL) fwrite(&rip, 8, 1, trace);
    }
    if (stopped == 0) break;
    signal = stopped == SIGTRAP ? 0 : stopped;
  }
  if (WIFSIGNALED(status) && !is_free) count--;
  if (trace != NULL) fclose(trace);
  FILE *out = fopen(report, "w");
  if (out == NULL) fail(report);
  fprintf(out, "instructions %llu\n", (unsigned long long)count);
  if (WIFEXITED(status)) fprintf(out, "exit %d\n", WEXITSTATUS(status));
  else fprintf(out, "signal %d\n", WTERMSIG(status));
  if (is_free) fprintf(out, "faults %llu\n", (unsigned long long)faults);
  if (fclose(out) != 0) fail(report);
  return 0;
}
