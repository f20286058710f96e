#include "connections.h"

/* Each flag of send and recv by itself, at each kind of socket. Most say nothing to it. */

static void say_result(long result) {
  int error = errno;
  if (result < 0) say(" %s", strerror(error));
  else say(" %ld", result);
}

static void sent(enum kind kind, unsigned flag) {
  int ends[2];
  char text[8];
  connected(kind, ends);
  say("kind %d, flag %x:", kind, flag);
  struct iovec part = {"hello", 5};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  for (int i = 0; i < 2; i++) {
    long result = i == 0 ? send(ends[0], "hello", 5, flag) : sendmsg(ends[0], &message, flag);
    say_result(result);
    usleep(200);
    if (result >= 0) say_result(recv(ends[1], text, 8, MSG_DONTWAIT));
  }
  say("\n");
  close(ends[0]), close(ends[1]);
}

static void received(enum kind kind, unsigned flag) {
  int ends[2];
  char text[8];
  connected(kind, ends);
  say("kind %d, flag %x:", kind, flag);
  struct iovec part = {text, 3};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  for (int i = 0; i < 2; i++) {
    send(ends[0], "hello", 5, 0);
    usleep(200);
    say_result(i == 0 ? recv(ends[1], text, 3, flag) : recvmsg(ends[1], &message, flag));
  }
  say(", %x\n", message.msg_flags);
  close(ends[0]), close(ends[1]);
}

/* Between parts of the kernel, which differ from one to the next. */
#define INTERNAL 0x1bfe0000u

int main(void) {
  alarm(20);
  for (enum kind kind = STREAM; kind <= UDP; kind++) {
    int is_stream = kind == STREAM || kind == TCP;
    say("sent\n");
    for (int i = 0; i < 32; i++) {
      unsigned flag = 1u << i;
      int is_urgent = flag == MSG_OOB && is_stream;
      int is_held = flag == MSG_MORE && (kind == TCP || kind == UDP), is_probe = flag == MSG_PROXY && kind == UDP;
      if (!is_urgent && !is_held && !is_probe && !(flag & INTERNAL)) sent(kind, flag);
    }
    say("received\n");
    for (int i = 0; i < 32; i++)
      if (!((1u << i) & INTERNAL)) received(kind, 1u << i);
  }
  int end = socket(AF_INET, SOCK_DGRAM, 0), from = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in address = bound(end);
  say("to an address:");
  say_result(sendto(from, "hi", 2, MSG_CONFIRM, (void *)&address, sizeof address));
  say_result(sendto(from, "hi", 2, MSG_DONTROUTE, (void *)&address, sizeof address));
  say("\nno errors:");
  say_result(recv(end, &(char[2]){}, 2, MSG_ERRQUEUE));
  say_result(recv(end, &(char[2]){}, 2, 0));
  say("\n");
}
