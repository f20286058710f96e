#include "common.h"
#include <sys/ioctl.h>
#include <termios.h>

/* Processes that stop and go on, groups and sessions. */

static void tell(const char *what, pid_t id, int options) {
  siginfo_t info;
  memset(&info, 0, sizeof info);
  int result = waitid(P_PID, id, &info, options);
  say("%s: %d pid %d code %d status %d\n", what, result, info.si_pid == id ? 1 : info.si_pid, info.si_code, info.si_status);
}

static char state_of(pid_t id) {
  char path[64], text[256] = "";
  snprintf(path, 64, "/proc/%d/stat", id);
  int file = open(path, O_RDONLY);
  read(file, text, 255);
  close(file);
  return strrchr(text, ')')[2];
}

static int children, stops, going;
static void on_child(int signal, siginfo_t *info, void *context) {
  children++;
  stops += info->si_code == CLD_STOPPED;
  going += info->si_code == CLD_CONTINUED;
}

static void pause_forever(void) {
  for (;;) pause();
}

static void stopped(void) {
  int ends[2];
  char byte;
  pipe(ends);
  pid_t child = fork();
  if (child == 0) {
    raise(SIGSTOP);
    read(ends[0], &byte, 1);
    say("child goes on\n");
    _exit(7);
  }
  int status;
  say("stopped %d\n", waitpid(child, &status, WUNTRACED) == child);
  say("%d %d %x\n", WIFSTOPPED(status), WSTOPSIG(status), status);
  say("state %c\n", state_of(child));
  say("again %d\n", waitpid(child, &status, WUNTRACED | WNOHANG));
  kill(child, SIGCONT);
  say("continued %d\n", waitpid(child, &status, WCONTINUED) == child);
  say("%d %x\n", WIFCONTINUED(status), status);
  write(ends[1], "x", 1);
  say("ended %d\n", ended(child));
}

static void with_waitid(void) {
  pid_t child = fork();
  if (child == 0) pause_forever();
  tell("nothing", child, WSTOPPED | WEXITED | WCONTINUED | WNOHANG);
  kill(child, SIGSTOP);
  tell("stopped, look", child, WSTOPPED | WNOWAIT);
  tell("stopped", child, WSTOPPED);
  tell("nothing", child, WSTOPPED | WNOHANG);
  kill(child, SIGUSR1);
  usleep(10000);
  say("state %c\n", state_of(child));
  kill(child, SIGCONT);
  /* What was sent meanwhile comes now. */
  tell("ended", child, WEXITED);
}

static int handled;
static void on_continue(int signal) { handled = signal; }

/* What stops while it waits goes on waiting; a handler of SIGCONT interrupts it. */
static void in_calls(void) {
  int ends[2];
  pipe(ends);
  pid_t child = fork();
  if (child == 0) {
    char byte;
    say("read %ld\n", read(ends[0], &byte, 1));
    struct sigaction action = {.sa_handler = on_continue};
    sigaction(SIGCONT, &action, NULL);
    say("read %ld", read(ends[0], &byte, 1));
    say(" %d, handled %d\n", errno, handled);
    struct timespec time = {0, 600000000}, left = {0, 0};
    signal(SIGCONT, SIG_DFL);
    say("sleep %d\n", nanosleep(&time, &left));
    _exit(1);
  }
  int status;
  for (int i = 0; i < 3; i++) {
    usleep(150000);
    kill(child, SIGSTOP);
    waitpid(child, &status, WUNTRACED);
    if (i == 0) write(ends[1], "x", 1);
    usleep(50000);
    say("stopped %d %c\n", WIFSTOPPED(status), state_of(child));
    kill(child, SIGCONT);
  }
  say("ended %d\n", ended(child));
}

static void killed(void) {
  pid_t child = fork();
  int status;
  if (child == 0) pause_forever();
  kill(child, SIGSTOP);
  waitpid(child, &status, WUNTRACED);
  kill(child, SIGTERM);
  usleep(10000);
  say("still there %d\n", waitpid(child, &status, WNOHANG));
  kill(child, SIGKILL);
  say("ended %d\n", ended(child));
  child = fork();
  if (child == 0)
    for (;;);
  usleep(1000);
  kill(child, SIGTERM);
  say("busy one ended %d\n", ended(child));
  child = fork();
  if (child == 0)
    for (;;);
  kill(child, SIGSTOP);
  waitpid(child, &status, WUNTRACED);
  say("busy one stopped %x\n", status);
  kill(child, SIGKILL);
  kill(child, SIGCONT);
  say("busy one ended %d\n", ended(child));
}

static void blocked(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTSTP);
  pid_t child = fork();
  if (child == 0) {
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGTSTP);
    sigset_t pending;
    sigpending(&pending);
    say("pending %d\n", sigismember(&pending, SIGTSTP));
    raise(SIGCONT);
    sigpending(&pending);
    say("pending %d\n", sigismember(&pending, SIGTSTP));
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    say("not stopped\n");
    signal(SIGTSTP, SIG_IGN);
    raise(SIGTSTP);
    signal(SIGTTIN, on_continue);
    raise(SIGTTIN);
    say("handled %d\n", handled);
    _exit(0);
  }
  say("ended %d\n", ended(child));
}

static void notified(void) {
  struct sigaction action = {.sa_sigaction = on_child, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigaction(SIGCHLD, &action, NULL);
  pid_t child = fork();
  int status;
  if (child == 0) pause_forever();
  kill(child, SIGSTOP);
  waitpid(child, &status, WUNTRACED);
  kill(child, SIGCONT);
  waitpid(child, &status, WCONTINUED);
  /* The child tells of it once it runs again, which may be later. */
  for (int i = 0; i < 5000 && going == 0; i++) usleep(1000);
  say("told %d %d %d\n", children, stops, going);
  action.sa_flags |= SA_NOCLDSTOP;
  sigaction(SIGCHLD, &action, NULL);
  kill(child, SIGSTOP);
  waitpid(child, &status, WUNTRACED);
  say("told %d %d %d\n", children, stops, going);
  kill(child, SIGKILL);
  say("ended %d\n", ended(child));
  say("told %d\n", children);
  signal(SIGCHLD, SIG_DFL);
}

/* A group that nobody could let go on does not stop by the terminal's signals, and is let go when it is left behind. */
static void orphans(void) {
  int ends[2];
  char text[64] = "";
  pipe(ends);
  pid_t leader = fork();
  if (leader == 0) {
    setsid();
    pid_t child = fork();
    if (child == 0) {
      struct sigaction action = {.sa_handler = on_continue};
      sigaction(SIGHUP, &action, NULL);
      raise(SIGTSTP);
      write(ends[1], "not stopped", 11);
      _exit(0);
    }
    ended(child);
    child = fork();
    if (child == 0) {
      setpgid(0, 0);
      struct sigaction action = {.sa_handler = on_continue};
      sigaction(SIGHUP, &action, NULL);
      raise(SIGTSTP);
      dprintf(ends[1], "let go, handled %d", handled);
      _exit(0);
    }
    int status;
    waitpid(child, &status, WUNTRACED);
    write(ends[1], WIFSTOPPED(status) ? "stopped" : "?", 7);
    _exit(4);
  }
  close(ends[1]);
  say("ended %d\n", ended(leader));
  /* In how many pieces it comes is a matter of time. */
  long length = 0;
  for (long count; (count = read(ends[0], text + length, 63 - length)) > 0;) length += count;
  say("%s\n", text);
}

static void groups(void) {
  pid_t child = fork();
  int ready[2];
  if (child == 0) {
    say("leads %d\n", failure(setpgid(0, 0)));
    say("session of a leader %d\n", failure(setsid()));
    say("group %d\n", getpgrp() == getpid());
    _exit(0);
  }
  ended(child);
  child = fork();
  if (child == 0) {
    say("session %d %d\n", setsid() == getpid(), getsid(0) == getpid());
    say("own group %d\n", failure(setpgid(0, 0)));
    say("terminal %d\n", failure(open("/dev/tty", O_RDWR)));
    int file = open("/dev/null", O_RDWR);
    say("group of terminal %d\n", failure(tcgetpgrp(file)));
    say("group of terminal %d\n", failure(tcsetpgrp(file, getpgrp())));
    say("control %d\n", failure(ioctl(file, TIOCSCTTY, 0)));
    _exit(0);
  }
  ended(child);
  /* All of a group at once. */
  pid_t first = fork();
  if (first == 0) {
    setpgid(0, 0);
    raise(SIGSTOP);
    pause_forever();
  }
  int status;
  waitpid(first, &status, WUNTRACED);
  pid_t second = fork();
  if (second == 0) {
    setpgid(0, first);
    raise(SIGSTOP);
    pause_forever();
  }
  waitpid(second, &status, WUNTRACED);
  say("kill group %d\n", failure(kill(-first, SIGTERM)));
  say("go on %d\n", failure(kill(-first, SIGCONT)));
  say("ended %d %d\n", ended(first), ended(second));
}

static long pidfd(pid_t id, int flags) { return syscall(SYS_pidfd_open, id, flags); }

static void descriptors(void) {
  int ends[2];
  pipe(ends);
  pid_t child = fork();
  if (child == 0) {
    char byte;
    int kept = open("/dev/null", O_RDONLY);
    read(ends[0], &byte, 1);
    _exit(9);
  }
  int file = pidfd(child, 0);
  struct pollfd polled = {file, POLLIN, 0};
  say("poll %d\n", poll(&polled, 1, 0));
  say("cloexec %d\n", fcntl(file, F_GETFD));
  siginfo_t info;
  memset(&info, 0, sizeof info);
  say("running %d", waitid(P_PIDFD, file, &info, WEXITED | WNOHANG));
  say(" %d\n", info.si_pid);
  say("signal 0 %d\n", failure(syscall(SYS_pidfd_send_signal, file, 0, NULL, 0)));
  say("flags %d\n", failure(syscall(SYS_pidfd_send_signal, file, 0, NULL, 4096)));
  say("not one %d\n", failure(syscall(SYS_pidfd_send_signal, 0, 0, NULL, 0)));
  usleep(10000);
  int theirs = syscall(SYS_pidfd_getfd, file, ends[1], 0);
  say("descriptor %d\n", theirs >= 0);
  say("no descriptor %d\n", failure(syscall(SYS_pidfd_getfd, file, 99, 0)));
  write(theirs, "x", 1);
  say("poll %d", poll(&polled, 1, 1000));
  say(" %x\n", polled.revents);
  say("read %d\n", failure(read(file, &info, 1)));
  say("waited %d", waitid(P_PIDFD, file, &info, WEXITED));
  say(" %d %d %d\n", info.si_pid == child, info.si_code, info.si_status);
  say("again %d\n", failure(waitid(P_PIDFD, file, &info, WEXITED)));
  say("gone %d\n", failure(syscall(SYS_pidfd_send_signal, file, SIGTERM, NULL, 0)));
  say("poll %d\n", poll(&polled, 1, 0));
  say("none %d\n", failure(pidfd(child, 0)));
  say("wrong %d\n", failure(pidfd(-1, 0)));
  say("wrong %d\n", failure(waitid(P_PIDFD, ends[0], &info, WEXITED)));
  child = fork();
  if (child == 0) pause_forever();
  file = pidfd(child, O_NONBLOCK);
  say("impatient %d\n", failure(waitid(P_PIDFD, file, &info, WEXITED)));
  syscall(SYS_pidfd_send_signal, file, SIGKILL, NULL, 0);
  say("ended %d\n", ended(child));
  unsigned long args[11] = {0x1000, (unsigned long)&file, 0, 0, SIGCHLD};
  child = syscall(SYS_clone3, args, 64);
  if (child == 0) _exit(5);
  say("waited %d", waitid(P_PIDFD, file, &info, WEXITED));
  say(" %d %d\n", info.si_pid == child, info.si_status);
}

int main(void) {
  alarm(20);
  stopped();
  with_waitid();
  in_calls();
  killed();
  blocked();
  notified();
  orphans();
  groups();
  descriptors();
}
