#include "common.h"
#include <sys/ioctl.h>
int main(void) {
  int ends[2];
  pipe(ends);
  say("capacity %d\n", fcntl(ends[1], F_GETPIPE_SZ));
  /* More than a pipe holds, through a child that adds it up. */
  pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    unsigned char buffer[1000];
    unsigned sum = 0;
    long total = 0;
    for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0; total += count)
      for (int i = 0; i < count; i++) sum = sum * 31 + buffer[i];
    say("child read %ld, sum %u\n", total, sum);
    _exit(0);
  }
  close(ends[0]);
  static unsigned char data[300000];
  for (int i = 0; i < 300000; i++) data[i] = i * 7 + i / 251;
  say("written %ld\n", (long)write(ends[1], data, sizeof data));
  close(ends[1]);
  say("end %d\n", ended(child));
  /* End of file comes when the last writer has closed. */
  pipe(ends);
  for (int i = 0; i < 3; i++)
    if (fork() == 0) {
      char text[16];
      close(ends[0]);
      int length = sprintf(text, "%d", i);
      write(ends[1], text, length);
      _exit(0);
    }
  close(ends[1]);
  int digits = 0;
  char buffer[16];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;)
    for (int i = 0; i < count; i++) digits += buffer[i] - '0';
  while (wait(0) > 0) {
  }
  say("digits %d\n", digits);
  close(ends[0]);
  /* Nobody reads, once the parent says so. */
  int closed[2];
  pipe(ends);
  pipe(closed);
  child = fork();
  if (child == 0) {
    close(ends[0]);
    close(closed[1]);
    read(closed[0], buffer, 1);
    write(ends[1], "x", 1);
    _exit(1);
  }
  close(ends[0]);
  close(ends[1]);
  close(closed[0]);
  close(closed[1]);
  say("killed %d\n", ended(child) == 1000 + SIGPIPE);
  signal(SIGPIPE, SIG_IGN);
  pipe(ends);
  close(ends[0]);
  say("refused %d\n", failure((int)write(ends[1], "x", 1)) == EPIPE);
  close(ends[1]);
  /* Non-blocking ends. */
  pipe2(ends, O_NONBLOCK | O_CLOEXEC);
  say("empty %d\n", failure((int)read(ends[0], buffer, 1)) == EAGAIN);
  long filled = 0;
  for (ssize_t count; (count = write(ends[1], data, 4096)) > 0;) filled += count;
  int held;
  ioctl(ends[0], FIONREAD, &held);
  say("filled %ld %d %d %d\n", filled, held, errno == EAGAIN, fcntl(ends[0], F_GETFD));
  /* Who polls is woken by who writes. */
  int other[2];
  pipe(other);
  child = fork();
  if (child == 0) {
    close(other[0]);
    usleep(20000);
    write(other[1], "now", 3);
    _exit(0);
  }
  close(other[1]);
  struct pollfd wanted = {other[0], POLLIN, 0};
  int polled = poll(&wanted, 1, -1);
  say("polled %d %d\n", polled, (wanted.revents & POLLIN) != 0);
  read(other[0], buffer, 3);
  ended(child);
  polled = poll(&wanted, 1, -1);
  say("hung up %d %d\n", polled, wanted.revents);
  return 0;
}
