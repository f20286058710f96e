/*
 * A plugin of QEMU's user-mode emulator that counts the instructions which a process and its threads execute:
 *
 *     qemu-x86_64 -plugin PLUGIN,report=REPORT PROGRAM [ARGUMENT]...
 *
 * REPORT gets the number. It counts as a processor does: a rep string instruction once, which QEMU goes back to for each iteration.
 *
 * What is declared here is QEMU's plugin interface (docs/devel/tcg-plugins), whose header Debian does not ship. VERSION is the
 * interface's: 1 up to QEMU 8, 2 from 9 on.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
extern void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, void (*)(unsigned, void *), int, void *);
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
extern void qemu_plugin_register_atexit_cb(plugin_id, void (*)(plugin_id, void *), void *);

int qemu_plugin_version = VERSION;

/* By the number of the thread, each in a cache line of its own. */
#define THREADS 4096
static struct {
  uint64_t count;
  /* Address of the rep instruction that was executed last, if nothing was since. */
  uint64_t repeated;
} __attribute__((aligned(64))) threads[THREADS];

static const char *report;
static pid_t process;

static void execute(unsigned thread, void *address) {
  (void)address;
  if (thread >= THREADS) abort();
  threads[thread].count++;
  threads[thread].repeated = 0;
}

static void repeat(unsigned thread, void *address) {
  if (thread >= THREADS) abort();
  if (threads[thread].repeated != (uint64_t)address) threads[thread].count++;
  threads[thread].repeated = (uint64_t)address;
}

static int is_repeated_string(const uint8_t *code, size_t size) {
  size_t at = 0;
  int repeated = 0;
  for (; at < size && memchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf2\xf3", code[at], 10) != NULL; at++)
    if (code[at] >= 0xf2) repeated = 1;
  if (at < size && (code[at] & 0xf0) == 0x40) at++;
  return repeated && at < size && code[at] >= 0xa4 && code[at] <= 0xaf && code[at] != 0xa8 && code[at] != 0xa9;
}

static void translate(plugin_id id, struct qemu_plugin_tb *block) {
  (void)id;
  size_t count = qemu_plugin_tb_n_insns(block);
  for (size_t i = 0; i < count; i++) {
    struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
    int repeats = is_repeated_string(qemu_plugin_insn_haddr(instruction), qemu_plugin_insn_size(instruction));
    void *address = (void *)qemu_plugin_insn_vaddr(instruction);
    qemu_plugin_register_vcpu_insn_exec_cb(instruction, repeats ? repeat : execute, 0, address);
  }
}

static void tell(plugin_id id, void *nothing) {
  (void)id;
  (void)nothing;
  /* A child of the process ends here, too, if it executes no other program. */
  if (getpid() != process) return;
  uint64_t sum = 0;
  for (int i = 0; i < THREADS; i++) sum += threads[i].count;
  FILE *file = fopen(report, "w");
  if (file == NULL) abort();
  fprintf(file, "%llu\n", (unsigned long long)sum);
  fclose(file);
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv) {
  (void)info;
  for (int i = 0; i < argc; i++)
    if (strncmp(argv[i], "report=", 7) == 0) report = strdup(argv[i] + 7);
  if (report == NULL) return -1;
  process = getpid();
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
  qemu_plugin_register_atexit_cb(id, tell, NULL);
  return 0;
}
