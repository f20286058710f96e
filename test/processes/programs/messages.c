#include "common.h"
#include <sys/socket.h>
#include <sys/uio.h>

/* What connections keep apart, and what goes through them beside bytes. */

static void show(const char *what, long result) {
  int error = errno;
  say("%s %ld %s\n", what, result, result < 0 ? strerror(error) : "");
}
#define SHOW(call) (errno = 0, show(#call, call))

static void boundaries(int type) {
  int ends[2];
  char text[64];
  say("-- type %d\n", type);
  SHOW(socketpair(AF_UNIX, type, 0, ends));
  SHOW(send(ends[0], "first", 5, 0));
  SHOW(write(ends[0], "second message", 14));
  SHOW(send(ends[0], "", 0, 0));
  SHOW(send(ends[0], "last", 4, 0));
  int waiting = -1;
  ioctl(ends[1], 0x541b, &waiting);
  say("waiting %d\n", waiting);
  SHOW(recv(ends[1], text, 64, MSG_PEEK));
  SHOW(recv(ends[1], text, 64, MSG_DONTWAIT));
  SHOW(recv(ends[1], text, 6, MSG_TRUNC | MSG_DONTWAIT));
  SHOW(recv(ends[1], text, 64, MSG_DONTWAIT));
  struct iovec parts[] = {{text, 2}, {text + 10, 10}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  SHOW(recvmsg(ends[1], &message, MSG_DONTWAIT));
  say("flags %x %.2s|%.2s\n", message.msg_flags, text, text + 10);
  SHOW(recv(ends[1], text, 64, MSG_DONTWAIT));
  SHOW(send(ends[0], "cut off", 7, 0));
  parts[1].iov_len = 1;
  message.msg_flags = 0;
  SHOW(recvmsg(ends[1], &message, MSG_DONTWAIT));
  say("flags %x\n", message.msg_flags);
  SHOW(recv(ends[1], text, 64, MSG_DONTWAIT));
  SHOW(read(ends[1], text, 0));
  int value = 0;
  socklen_t length = sizeof value;
  getsockopt(ends[0], SOL_SOCKET, SO_TYPE, &value, &length);
  say("type %d\n", value);
  struct pollfd polled = {ends[1], POLLIN | POLLOUT, 0};
  SHOW(poll(&polled, 1, 0));
  say("%x\n", polled.revents);
  close(ends[0]);
  SHOW(poll(&polled, 1, 0));
  say("%x\n", polled.revents);
  SHOW(recv(ends[1], text, 64, MSG_DONTWAIT));
  SHOW(send(ends[1], "x", 1, MSG_NOSIGNAL));
  SHOW(send(ends[1], "x", 1, 0));
  close(ends[1]);
  socketpair(AF_UNIX, type, 0, ends);
  SHOW(shutdown(ends[1], SHUT_WR));
  SHOW(recv(ends[0], text, 64, MSG_DONTWAIT));
  SHOW(send(ends[1], "x", 1, MSG_NOSIGNAL));
  SHOW(send(ends[0], "back", 4, 0));
  SHOW(recv(ends[1], text, 64, MSG_DONTWAIT));
  close(ends[0]), close(ends[1]);
  socketpair(AF_UNIX, type, 0, ends);
  send(ends[0], "unread", 6, 0);
  close(ends[1]);
  SHOW(recv(ends[0], text, 64, MSG_DONTWAIT));
  SHOW(recv(ends[0], text, 64, MSG_DONTWAIT));
  close(ends[0]);
}

static void too_large(int type) {
  int ends[2];
  static char many[300000];
  socketpair(AF_UNIX, type, 0, ends);
  SHOW(send(ends[0], many, 212992 - 32, MSG_DONTWAIT));
  if (type != SOCK_STREAM) SHOW(send(ends[0], many, 212992 - 31, MSG_DONTWAIT));
  SHOW(send(ends[0], many, 300, MSG_DONTWAIT));
  close(ends[0]), close(ends[1]);
  socketpair(AF_UNIX, type, 0, ends);
  int count = 0;
  while (send(ends[0], many, 100, MSG_DONTWAIT) == 100) count++;
  say("small ones %d\n", count);
  struct pollfd polled = {ends[0], POLLOUT, 0};
  SHOW(poll(&polled, 1, 0));
  close(ends[0]), close(ends[1]);
}

union control {
  struct cmsghdr header;
  char space[256];
};

static long send_files(int socket, const char *text, int length, const int *files, int count) {
  union control control;
  struct iovec part = {(char *)text, length};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control};
  message.msg_controllen = CMSG_SPACE(4 * count);
  control.header = (struct cmsghdr){CMSG_LEN(4 * count), SOL_SOCKET, SCM_RIGHTS};
  memcpy(CMSG_DATA(&control.header), files, 4 * count);
  return sendmsg(socket, &message, 0);
}

/* The descriptors that came, -1 behind the last one. */
static long receive(int socket, int *files, int room, int flags) {
  union control control;
  char text[64] = "";
  struct iovec part = {text, 63};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = room};
  long result = recvmsg(socket, &message, flags);
  int error = errno;
  say("got %ld '%s' flags %x control %ld\n", result, text, message.msg_flags, message.msg_controllen);
  *files = -1;
  if (result >= 0 && message.msg_controllen > 0)
    for (struct cmsghdr *each = CMSG_FIRSTHDR(&message); each; each = CMSG_NXTHDR(&message, each)) {
      say("  level %d type %d length %ld\n", each->cmsg_level, each->cmsg_type, each->cmsg_len);
      if (each->cmsg_type == SCM_RIGHTS) {
        int count = (each->cmsg_len - CMSG_LEN(0)) / 4;
        memcpy(files, CMSG_DATA(each), 4 * count);
        files[count] = -1;
      } else if (each->cmsg_type == SCM_CREDENTIALS) {
        struct ucred *sender = (struct ucred *)CMSG_DATA(each);
        say("  sender %d\n", sender->pid == getpid() ? 0 : sender->pid == getppid() ? 1 : sender->pid == 0 ? 2 : 3);
      }
    }
  errno = error;
  return result;
}

static void files(int type) {
  int ends[2], pipes[2], got[16];
  say("-- files, type %d\n", type);
  socketpair(AF_UNIX, type, 0, ends);
  pipe(pipes);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]), close(pipes[0]), close(pipes[1]);
    receive(ends[1], got, 256, MSG_CMSG_CLOEXEC);
    say("cloexec %d\n", fcntl(got[0], F_GETFD));
    write(got[0], "through a pipe that came", 24);
    close(got[0]);
    receive(ends[1], got, 256, 0);
    say("two %d\n", got[0] >= 0 && got[1] >= 0 && got[2] == -1);
    char text[8] = "";
    pread(got[1], text, 4, 0);
    say("file says %s\n", text);
    lseek(got[1], 2, SEEK_SET);
    receive(ends[1], got, CMSG_SPACE(4), 0);
    say("one %d\n", got[0] >= 0 && got[1] == -1);
    receive(ends[1], got, 0, 0);
    read(ends[1], text, 8);
    _exit(0);
  }
  close(ends[1]);
  long results[5];
  results[0] = send_files(ends[0], "pipe", 4, pipes + 1, 1);
  close(pipes[1]);
  char text[64] = "", more;
  results[1] = read(pipes[0], text, 64);
  results[1] += read(pipes[0], &more, 1);
  int file = open("file-sent", O_RDWR | O_CREAT | O_TRUNC, 0600);
  write(file, "kept", 4);
  int two[] = {0, file, 1};
  results[2] = send_files(ends[0], "two", 3, two, 2);
  usleep(30000);
  results[3] = send_files(ends[0], "three", 5, two, 3);
  usleep(30000);
  results[4] = send_files(ends[0], "none", 4, two, 3);
  usleep(30000);
  write(ends[0], "end", 3);
  say("ended %d\n", ended(child));
  for (int i = 0; i < 5; i++) say("sent %ld\n", results[i]);
  say("%s\n", text);
  say("offset %ld\n", lseek(file, 0, SEEK_CUR));
  int wrong = 99;
  SHOW(send_files(ends[0], "wrong", 5, &wrong, 1));
  close(file), close(ends[0]), close(pipes[0]);
  unlink("file-sent");
}

/* A file that nobody but a message holds is open, until the message goes. */
static void in_flight(void) {
  int ends[2], pipes[2], got[16];
  char byte;
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  pipe(pipes);
  send_files(ends[0], "x", 1, pipes + 1, 1);
  close(pipes[1]);
  fcntl(pipes[0], F_SETFL, O_NONBLOCK);
  SHOW(read(pipes[0], &byte, 1));
  SHOW(read(ends[1], &byte, 1));
  SHOW(read(pipes[0], &byte, 1));
  pipe(pipes);
  send_files(ends[0], "y", 1, pipes + 1, 1);
  close(pipes[1]);
  close(ends[1]);
  fcntl(pipes[0], F_SETFL, O_NONBLOCK);
  SHOW(read(pipes[0], &byte, 1));
  close(ends[0]);
}

/* Bytes of several writes come together, but never across what files came with. */
static void together(void) {
  int ends[2], got[16], zero = 0;
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  write(ends[0], "ab", 2);
  write(ends[0], "cd", 2);
  send_files(ends[0], "ef", 2, &zero, 1);
  write(ends[0], "gh", 2);
  send_files(ends[0], "ij", 2, &zero, 1);
  for (int i = 0; i < 3; i++) receive(ends[1], got, 256, MSG_DONTWAIT);
  close(ends[0]), close(ends[1]);
}

static void senders(void) {
  int ends[2], got[16], yes = 1;
  socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
  write(ends[0], "before", 6);
  SHOW(setsockopt(ends[1], SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes));
  socklen_t length = sizeof yes;
  getsockopt(ends[1], SOL_SOCKET, SO_PASSCRED, &yes, &length);
  say("asks %d\n", yes);
  pid_t child = fork();
  if (child == 0) {
    receive(ends[1], got, 256, 0);
    receive(ends[1], got, 256, 0);
    receive(ends[1], got, CMSG_LEN(4), 0);
    _exit(0);
  }
  write(ends[0], "after", 5);
  int zero = 0;
  send_files(ends[0], "both", 4, &zero, 1);
  ended(child);
  struct ucred peer;
  length = sizeof peer;
  SHOW(getsockopt(ends[0], SOL_SOCKET, SO_PEERCRED, &peer, &length));
  say("mine %d %d\n", peer.pid == getpid(), length);
  struct ucred other = {getpid() + 1, getuid(), getgid()};
  union control control;
  struct iovec part = {"z", 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_LEN(12)};
  control.header = (struct cmsghdr){CMSG_LEN(12), SOL_SOCKET, SCM_CREDENTIALS};
  other.pid = getpid();
  memcpy(CMSG_DATA(&control.header), &other, 12);
  SHOW(sendmsg(ends[0], &message, 0));
  receive(ends[1], got, 256, 0);
  control.header.cmsg_type = 77;
  SHOW(sendmsg(ends[0], &message, 0));
}

static void several(void) {
  int ends[2];
  char text[4][8] = {"a", "bb", "ccc", ""};
  struct iovec parts[4];
  struct mmsghdr messages[4] = {0};
  socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
  for (int i = 0; i < 4; i++) {
    parts[i] = (struct iovec){text[i], i + 1};
    messages[i].msg_hdr.msg_iov = parts + i;
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  SHOW(sendmmsg(ends[0], messages, 3, 0));
  say("%u %u %u\n", messages[0].msg_len, messages[1].msg_len, messages[2].msg_len);
  for (int i = 0; i < 4; i++) parts[i].iov_len = 8;
  SHOW(recvmmsg(ends[1], messages, 4, MSG_WAITFORONE, NULL));
  say("%u %u %u\n", messages[0].msg_len, messages[1].msg_len, messages[2].msg_len);
  SHOW(recvmmsg(ends[1], messages, 4, MSG_DONTWAIT, NULL));
}

/* MSG_WAITALL: until the buffers are full, a file has come, or nothing comes any more. */
static void whole(void) {
  int ends[2], got[16], zero = 0;
  char text[16];
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 3; i++) {
      write(ends[1], "abc", 3);
      usleep(20000);
      write(ends[1], "defghi", 6);
      usleep(20000);
    }
    send_files(ends[1], "file", 4, &zero, 1);
    usleep(20000);
    write(ends[1], "xyz", 3);
    _exit(0);
  }
  close(ends[1]);
  struct iovec parts[] = {{text, 2}, {text + 8, 6}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  SHOW(recvmsg(ends[0], &message, MSG_WAITALL));
  say("flags %x %.2s|%.6s\n", message.msg_flags, text, text + 8);
  char name[128];
  socklen_t length = sizeof name;
  SHOW(recvfrom(ends[0], text, 9, MSG_WAITALL, (void *)name, &length));
  say("%.9s, name %d\n", text, length);
  SHOW(recv(ends[0], text, 10, MSG_WAITALL));
  SHOW(receive(ends[0], got, 256, MSG_WAITALL));
  say("file %d\n", got[0] >= 0 && got[1] == -1);
  message.msg_iov[1].iov_len = 8;
  SHOW(recvmsg(ends[0], &message, MSG_WAITALL));
  SHOW(recvmsg(ends[0], &message, MSG_WAITALL));
  SHOW(recvmsg(ends[0], &message, MSG_WAITALL | MSG_DONTWAIT));
  ended(child);
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  write(ends[1], "part", 4);
  SHOW(recvmsg(ends[0], &message, MSG_WAITALL | MSG_DONTWAIT));
  SHOW(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){0, 20000}, sizeof(struct timeval)));
  write(ends[1], "piece", 5);
  SHOW(recvmsg(ends[0], &message, MSG_WAITALL));
}

static void impatient(void) {
  int ends[2];
  char byte;
  struct timeval soon = {0, 20000};
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  SHOW(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon));
  SHOW(recv(ends[0], &byte, 1, 0));
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  alarm(15);
  int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
  for (int i = 0; i < 3; i++) boundaries(types[i]);
  for (int i = 0; i < 3; i++) too_large(types[i]);
  for (int i = 0; i < 3; i++) files(types[i]);
  in_flight();
  together();
  senders();
  several();
  whole();
  impatient();
}
