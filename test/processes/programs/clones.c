#include "common.h"
#include <linux/sched.h>

/* What clone and clone3 are asked for rarely. */

static long plain(unsigned long flags) { return syscall(SYS_clone, flags, 0, 0, 0, 0); }
static long args(const unsigned long *fields, long size) { return syscall(SYS_clone3, fields, size); }

static char *here(void) {
  static char path[256];
  return strrchr(getcwd(path, sizeof path), '/');
}

static int mask(void) {
  int before = umask(0);
  umask(before);
  return before;
}

static void shared_paths(void) {
  mkdir("clones-1", 0700);
  mkdir("clones-1/inner", 0700);
  umask(022);
  pid_t child = plain(CLONE_FS | SIGCHLD);
  if (child == 0) {
    chdir("clones-1");
    umask(027);
    _exit(0);
  }
  ended(child);
  say("shared: %s %o\n", here(), mask());
  int ends[2];
  pipe(ends);
  child = plain(CLONE_FS | SIGCHLD);
  if (child == 0) {
    char c;
    say("unshared %d\n", failure(syscall(SYS_unshare, CLONE_FS)));
    chdir("inner");
    umask(077);
    write(ends[1], "", 1);
    usleep(20000);
    say("child: %s %o\n", here(), mask());
    _exit(0);
  }
  char c;
  read(ends[0], &c, 1);
  say("own: %s %o\n", here(), mask());
  ended(child);
  chdir("..");
  rmdir("clones-1/inner");
  rmdir("clones-1");
  umask(022);
}

static void refused(void) {
  say("handlers without memory %d\n", failure(plain(CLONE_SIGHAND | SIGCHLD)));
  say("thread without handlers %d\n", failure(plain(CLONE_THREAD | CLONE_VM)));
  unsigned long fields[11] = { 0 };
  fields[4] = SIGCHLD;
  say("small %d", failure(args(fields, 56)));
  say(", large %d", failure(args(fields, 5000)));
  say(", nowhere %d\n", failure(args(NULL, 64)));
  fields[0] = CLONE_DETACHED;
  say("detached %d", failure(args(fields, 64)));
  fields[0] = 1ul << 40;
  say(", unknown %d", failure(args(fields, 64)));
  fields[0] = SIGCHLD;
  say(", a signal among the flags %d", failure(args(fields, 64)));
  fields[0] = CLONE_PARENT;
  say(", a signal for another's parent %d\n", failure(args(fields, 64)));
  fields[0] = 0;
  fields[4] = 65;
  say("no such signal %d", failure(args(fields, 64)));
  fields[4] = SIGCHLD;
  fields[5] = (unsigned long)fields;
  say(", a stack without size %d", failure(args(fields, 64)));
  fields[5] = 0;
  fields[6] = 4096;
  say(", a size without stack %d\n", failure(args(fields, 64)));
  fields[6] = 0;
  fields[8] = (unsigned long)fields;
  say("a number without count %d", failure(args(fields, 88)));
  fields[8] = 0;
  fields[9] = 1;
  say(", a count without numbers %d", failure(args(fields, 88)));
  fields[8] = (unsigned long)fields;
  fields[9] = 33;
  say(", too many %d\n", failure(args(fields, 88)));
  fields[8] = fields[9] = 0;
  fields[0] = CLONE_SIGHAND | CLONE_VM | CLONE_CLEAR_SIGHAND;
  say("handlers shared and cleared %d", failure(args(fields, 88)));
  fields[0] = CLONE_FS | CLONE_NEWNS;
  say(", paths shared and apart %d", failure(args(fields, 88)));
  fields[0] = CLONE_INTO_CGROUP;
  fields[10] = 1ul << 31;
  say(", no control group %d", failure(args(fields, 88)));
  fields[10] = 77;
  say(" %d\n", failure(args(fields, 88)));
  unsigned long later[16] = { 0 };
  later[4] = SIGCHLD;
  long child = args(later, 128);
  if (child == 0) _exit(3);
  say("later fields %d", ended(child));
  later[15] = 1;
  say(" %d\n", failure(args(later, 128)));
}

int main(void) {
  shared_paths();
  refused();
}
