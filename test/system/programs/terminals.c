/* Pseudo-terminals: lines and how they are edited, modes, sizes, errors, sessions and groups, hanging up. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
static int master, slave;

static void show(const char *what, int fd, size_t most) {
  char bytes[8192];
  struct pollfd ready = {fd, POLLIN, 0};
  printf("%s:", what);
  // On hardware lines and echoes pass through work queues, which poll waits for where there is nothing yet.
  struct pollfd first = {slave, POLLIN, 0};
  if (fd == master) poll(&first, 1, 0);
  if (poll(&ready, 1, 150) == 0) { printf(" nothing\n"); return; }
  errno = 0;
  ssize_t n = read(fd, bytes, most), more;
  while (fd == master && n >= 0 && n < most && poll(&ready, 1, 100) != 0 && (more = read(fd, bytes + n, most - n)) > 0)
    n += more;
  if (n < 0) { printf(" error %d\n", errno); return; }
  printf(" %zd ", n);
  for (ssize_t i = 0; i < n; i++)
    if (bytes[i] >= 32 && bytes[i] < 127 && bytes[i] != '\\') putchar(bytes[i]);
    else printf("\\%03o", (unsigned char)bytes[i]);
  printf("\n");
}
static void type(const char *what, const char *bytes) {
  write(master, bytes, strlen(bytes));
  show(what, master, 4000);
}
static void flags(int input, int output, int local) {
  struct termios t;
  tcgetattr(slave, &t);
  t.c_iflag = input; t.c_oflag = output; t.c_lflag = local;
  tcsetattr(slave, TCSANOW, &t);
}
static void lines(void) {
  type("echo", "hello\n");
  show("line", slave, 100);
  type("erase", "abc\177\177d\n");
  show("line", slave, 100);
  type("tab", "a\tbc\td\177\177\177\177x\n");
  show("line", slave, 100);
  type("word", "one two_3  four\027\027five\n");
  show("line", slave, 100);
  type("kill", "something\025else\n");
  show("line", slave, 100);
  type("literal", "a\026\003\026\177b\001\n");
  show("line", slave, 100);
  type("reprint", "abc\022d\n");
  show("line", slave, 100);
  type("return", "abc\rdef\r");
  show("line", slave, 2);
  show("rest", slave, 100);
  show("line", slave, 100);
  type("end", "half\004");
  show("line", slave, 100);
  type("end alone", "\004x\n");
  show("end of file", slave, 100);
  show("line", slave, 100);
  type("end behind", "abcd\004efgh\004");
  show("exactly", slave, 4);
  show("next", slave, 100);
  int there;
  type("two lines", "one\ntwo\nthr");
  ioctl(slave, FIONREAD, &there);
  printf("there %d\n", there);
  tcflush(slave, TCIFLUSH);
  ioctl(slave, FIONREAD, &there);
  printf("flushed %d\n", there);
  type("rest of a line", "ee\n");
  show("line", slave, 100);
}
static void modes(void) {
  struct termios first;
  tcgetattr(slave, &first);
  flags(0, 0, ICANON | ECHO | ECHOE | ECHOK);
  type("no caret", "a\001b\177\025kill\n");
  show("line", slave, 100);
  flags(ICRNL, OPOST | ONLCR, ICANON | ECHO | ECHOE | ECHOK | ECHOPRT | ECHOCTL | IEXTEN);
  type("printed", "abcd\177\177e\177\n");
  show("line", slave, 100);
  flags(ICRNL, OPOST | ONLCR, ICANON | ECHONL);
  type("newlines only", "secret\n");
  show("line", slave, 100);
  flags(ICRNL, OPOST | ONLCR, ICANON | ECHO);
  type("kill", "abc\025def\177\n");
  show("line", slave, 100);
  flags(INLCR | ISTRIP | IUCLC, OPOST | OCRNL | OLCUC | XTABS, ECHO | IEXTEN);
  type("mapped", "aBc\n\351\tq");
  usleep(100000);
  show("bytes", slave, 100);
  write(slave, "tab\there\r", 9);
  show("output", master, 100);
  flags(IGNCR, OPOST | ONOCR | ONLRET, 0);
  write(slave, "\rab\n\rc\r\r", 8);
  show("output", master, 100);
  type("ignored returns", "a\rb");
  show("bytes", slave, 100);
  flags(IUTF8, 0, ICANON | ECHO | ECHOE);
  type("characters", "\303\244b\342\202\254\177\177\n");
  show("line", slave, 100);
  // What is there when lines begin or end to count.
  flags(0, 0, ICANON);
  type("lines", "one\ntw\004o");
  flags(0, 0, 0);
  show("bytes", slave, 100);
  type("bytes", "three");
  flags(0, 0, ICANON);
  show("line", slave, 100);
  struct termios t = first;
  cfmakeraw(&t);
  t.c_cc[VMIN] = 3;
  tcsetattr(slave, TCSAFLUSH, &t);
  type("two of three", "ab");
  show("too few", slave, 100);
  type("third", "c");
  show("enough", slave, 100);
  t.c_cc[VMIN] = 0;
  tcsetattr(slave, TCSADRAIN, &t);
  printf("none %zd\n", read(slave, &t, 1));
  tcgetattr(slave, &t);
  t.c_cc[VTIME] = 1;
  tcsetattr(slave, TCSANOW, &t);
  char byte;
  printf("in time %zd\n", read(slave, &byte, 1));
  printf("flags %o %o %o %o, speed %o\n", t.c_iflag, t.c_oflag, t.c_cflag, t.c_lflag, cfgetospeed(&t));
  cfsetspeed(&t, B115200);
  t.c_cflag = (t.c_cflag & ~CSIZE) | CS7 | PARENB;
  tcsetattr(slave, TCSANOW, &t);
  tcgetattr(master, &t);
  printf("flags %o, speed %o\n", t.c_cflag, cfgetospeed(&t));
  tcsetattr(slave, TCSANOW, &first);
}
static void errors(void) {
  int value = 0;
  struct stat s;
  fstat(slave, &s);
  printf("slave %o %u:%d\n", s.st_mode & S_IFMT, major(s.st_rdev), minor(s.st_rdev) >= 0);
  fstat(master, &s);
  printf("master %o %u:%u\n", s.st_mode & S_IFMT, major(s.st_rdev), minor(s.st_rdev));
  printf("names %d %d\n", strcmp(ttyname(slave), ptsname(master)), isatty(master));
#define TRY(call) do { errno = 0; long r = (long)(call); printf("%s %ld %d\n", #call, r, errno); } while (0)
  TRY(ioctl(slave, TIOCGPTN, &value));
  TRY(ioctl(slave, TIOCSPTLCK, &value));
  TRY(ioctl(slave, TIOCGPGRP, &value));
  TRY(ioctl(master, TIOCGPGRP, &value));
  TRY(ioctl(master, TIOCGSID, &value));
  TRY(ioctl(slave, TIOCNOTTY));
  TRY(ioctl(slave, TIOCGWINSZ, 1));
  TRY(ioctl(slave, TCGETS, 0));
  TRY(ioctl(slave, TCXONC, 7));
  TRY(ioctl(slave, TCFLSH, 7));
  TRY(ioctl(slave, 0x5499, 0));
  TRY(ioctl(slave, TIOCMGET, &value));
  TRY(ioctl(0, TCGETS, &value));
  TRY(lseek(slave, 0, SEEK_SET));
  TRY(pread(slave, &value, 1, 0));
  TRY(ftruncate(slave, 0));
  TRY(open("/dev/tty", O_RDWR));
  TRY(open("/dev/pts/999", O_RDWR));
  TRY(tcsetpgrp(slave, getpgrp()));
  int other = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
  TRY(open(ptsname(other), O_RDWR | O_NOCTTY));
  TRY(grantpt(other));
  TRY(unlockpt(other));
  TRY(ioctl(other, TIOCGPTLCK, &value));
  int peer = ioctl(other, TIOCGPTPEER, O_RDWR | O_NOCTTY);
  write(peer, "through the peer", 16);
  show("peer", other, 100);
  close(peer);
  show("closed", other, 100);
  struct pollfd p = {other, POLLIN | POLLOUT, 0};
  printf("poll %d %x\n", poll(&p, 1, 0), p.revents);
  close(other);
}
static int go[2];
static void caught(int signal) { char text[] = "signal 00\n"; text[7] += signal / 10; text[8] += signal % 10; write(1, text, 10); write(go[1], text, 1); }
static void sessions(void) {
  struct winsize w = {24, 80, 1, 2};
  pipe(go);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    char byte;
    signal(SIGINT, caught); signal(SIGWINCH, caught); signal(SIGTTOU, SIG_IGN);
    struct sigaction hang = {.sa_handler = caught};
    sigaction(SIGHUP, &hang, 0);
    // Signals come in at a wait for them and nowhere else: none is early, however busy the machine is.
    sigset_t awaited, none;
    sigemptyset(&none); sigemptyset(&awaited);
    sigaddset(&awaited, SIGINT); sigaddset(&awaited, SIGWINCH); sigaddset(&awaited, SIGHUP);
    sigprocmask(SIG_BLOCK, &awaited, 0);
    printf("session %d\n", setsid() == getpid());
    printf("take %d\n", ioctl(slave, TIOCSCTTY, 0));
    printf("foreground %d, session %d\n", tcgetpgrp(slave) == getpgrp(), tcgetsid(slave) == getsid(0));
    int tty = open("/dev/tty", O_RDWR);
    printf("tty %d\n", isatty(tty));
    close(tty);
    fflush(stdout);
    close(master);
    write(go[1], "x", 1);
    // A process in the background stops when it reads.
    pid_t back = fork();
    if (back == 0) {
      setpgid(0, 0);
      char line[20];
      ssize_t n = read(slave, line, 20);
      _exit(n);
    }
    setpgid(back, back);
    int status;
    waitpid(back, &status, WUNTRACED);
    printf("stopped %d by %d\n", WIFSTOPPED(status), WSTOPSIG(status));
    printf("give %d\n", tcsetpgrp(slave, back));
    kill(back, SIGCONT);
    fflush(stdout);
    write(slave, "ready", 5);
    waitpid(back, &status, 0);
    printf("read %d\n", WEXITSTATUS(status));
    printf("back %d\n", tcsetpgrp(slave, getpgrp()));
    fflush(stdout);
    write(slave, "again", 5);
    sigsuspend(&none);
    sigsuspend(&none);
    // The master hangs up.
    write(slave, "last", 4);
    sigsuspend(&none);
    errno = 0;
    printf("end %zd, ", read(slave, &byte, 1));
    printf("write %zd %d, ", write(slave, "x", 1), errno);
    printf("size %d %d\n", ioctl(slave, TIOCGWINSZ, &w), errno);
    fflush(stdout);
    _exit(5);
  }
  char byte;
  read(go[0], &byte, 1);
  show("child", master, 5);
  type("line", "line\n");
  show("child", master, 5);
  type("interrupt", "\003");
  read(go[0], &byte, 1);
  printf("resize %d\n", ioctl(master, TIOCSWINSZ, &w));
  read(go[0], &byte, 1);
  fflush(stdout);
  ioctl(slave, TIOCGWINSZ, &w);
  printf("size %d %d %d %d\n", w.ws_row, w.ws_col, w.ws_xpixel, w.ws_ypixel);
  fflush(stdout);
  close(slave);
  show("child", master, 4);
  fflush(stdout);
  close(master);
  int status;
  waitpid(child, &status, 0);
  printf("child %x\n", status);
}
int main(void) {
  struct winsize w = {1, 2, 3, 4};
  openpty(&master, &slave, 0, 0, &w);
  lines();
  modes();
  errors();
  sessions();
  return 0;
}
