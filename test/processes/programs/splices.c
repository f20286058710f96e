#include "common.h"
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

/* Bytes from descriptor to descriptor without a buffer of the program's. */

static void show(const char *what, long result) {
  int error = errno;
  say("%s %ld %s\n", what, result, result < 0 ? strerror(error) : "");
}
#define SHOW(call) (errno = 0, show(#call, call))

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  alarm(15);
  int a[2], b[2], c[2];
  char text[64] = "";
  pipe(a), pipe(b);
  socketpair(AF_UNIX, SOCK_STREAM, 0, c);
  int in = open("spliced", O_RDWR | O_CREAT | O_TRUNC, 0600);
  write(in, "0123456789", 10);
  off_t at = 2;
  loff_t to = 5;
  SHOW(splice(in, &at, a[1], NULL, 4, 0));
  say("at %ld, own %ld\n", at, lseek(in, 0, SEEK_CUR));
  SHOW(tee(a[0], b[1], 3, 0));
  SHOW(read(b[0], text, 64));
  say("%s\n", text);
  SHOW(splice(a[0], NULL, b[1], NULL, 64, 0));
  int copy = open("spliced-copy", O_RDWR | O_CREAT | O_TRUNC, 0600);
  SHOW(splice(b[0], NULL, copy, &to, 64, 0));
  say("to %ld\n", to);
  SHOW(pread(copy, text, 64, 0));
  say("%s\n", text);
  SHOW(splice(in, NULL, a[1], NULL, 64, 0));
  SHOW(splice(a[0], NULL, b[1], NULL, 1, SPLICE_F_NONBLOCK));
  SHOW(tee(a[0], b[1], 1, SPLICE_F_NONBLOCK));
  SHOW(splice(in, NULL, c[0], NULL, 1, 0));
  SHOW(splice(a[0], NULL, a[1], NULL, 1, 0));
  SHOW(splice(a[1], NULL, b[1], NULL, 1, 0));
  SHOW(splice(in, NULL, a[1], &to, 1, 0));
  SHOW(splice(in, NULL, a[1], NULL, 1, 0x100));
  SHOW(splice(in, NULL, a[1], NULL, 0, 0));
  struct iovec parts[] = {{"some ", 5}, {"memory", 6}};
  SHOW(vmsplice(a[1], parts, 2, 0));
  SHOW(splice(a[0], NULL, c[0], NULL, 64, SPLICE_F_MOVE | SPLICE_F_MORE));
  memset(text, 0, 64);
  SHOW(read(c[1], text, 64));
  say("%s\n", text);
  write(c[0], "back", 4);
  SHOW(splice(c[1], NULL, a[1], NULL, 64, 0));
  struct iovec room = {text, 64};
  SHOW(vmsplice(a[0], &room, 1, 0));
  SHOW(vmsplice(in, parts, 2, 0));
  at = 1;
  SHOW(sendfile(a[1], in, &at, 3));
  say("at %ld\n", at);
  lseek(in, 0, SEEK_SET);
  SHOW(sendfile(c[0], in, NULL, 100));
  SHOW(sendfile(c[0], in, NULL, 100));
  SHOW(sendfile(a[1], b[0], NULL, 1));
  SHOW(read(a[0], text, 64));
  SHOW(read(c[1], text, 64));
  int out = open("spliced-too", O_RDWR | O_CREAT | O_TRUNC, 0600);
  at = 3, to = 1;
  SHOW(copy_file_range(in, &at, out, &to, 4, 0));
  memset(text, '.', 64);
  SHOW(pread(out, text, 64, 0));
  say("%d %.4s\n", text[0], text + 1);
  SHOW(copy_file_range(in, NULL, a[1], NULL, 4, 0));
  at = 0, to = 2;
  SHOW(copy_file_range(in, &at, in, &to, 4, 0));
  SHOW(copy_file_range(in, &at, out, NULL, 4, 1));
  int appending = open("spliced-too", O_WRONLY | O_APPEND);
  SHOW(splice(a[0], NULL, appending, NULL, 1, 0));
  SHOW(sendfile(appending, in, &at, 1));
  SHOW(copy_file_range(in, &at, appending, NULL, 1, 0));
  SHOW(fcntl(a[0], F_GETPIPE_SZ));
  SHOW(fcntl(a[0], F_SETPIPE_SZ, 5000));
  pid_t child = fork();
  if (child == 0) {
    close(a[0]);
    static char many[20000];
    struct iovec part = {many, 20000};
    for (long left = 20000; left > 0;) {
      long count = vmsplice(a[1], &part, 1, 0);
      part.iov_len -= count;
      left -= count;
    }
    _exit(0);
  }
  close(a[1]);
  long sum = 0, count;
  while ((count = splice(a[0], NULL, out, NULL, 6000, 0)) > 0) sum += count;
  say("sum %ld last %ld size %ld\n", sum, count, lseek(out, 0, SEEK_END));
  say("ended %d\n", ended(child));
  int packets[2];
  SHOW(pipe2(packets, O_DIRECT));
  write(packets[1], "first", 5);
  write(packets[1], "second", 6);
  SHOW(read(packets[0], text, 3));
  SHOW(read(packets[0], text, 64));
  unlink("spliced"), unlink("spliced-copy"), unlink("spliced-too");
}
