/* What is a new edge to epoll: of connections, of those that listen, of pipes and of counters. */
#include "common.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>

static int queue;

static void watch(int file, unsigned events) {
  if (queue > 0) close(queue);
  queue = epoll_create1(0);
  epoll_ctl(queue, EPOLL_CTL_ADD, file, &(struct epoll_event){events | EPOLLET});
}

/* Natively what is sent by TCP takes a moment. */
static void look(const char *when) {
  struct epoll_event event = {0};
  usleep(1000);
  epoll_wait(queue, &event, 1, 0);
  say(" %s %x", when, event.events);
}

static int listener(struct sockaddr_in *address) {
  socklen_t length = sizeof *address;
  const int file = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  bind(file, (void *)address, length);
  getsockname(file, (void *)address, &length);
  listen(file, 8);
  return file;
}

static int connected(const struct sockaddr_in *address) {
  const int file = socket(AF_INET, SOCK_STREAM, 0);
  connect(file, (void *)address, sizeof *address);
  return file;
}

enum kind { LOCAL, PACKETS, INTERNET };

static void connection(enum kind kind, int ends[2]) {
  if (kind == INTERNET) {
    struct sockaddr_in address;
    const int file = listener(&address);
    ends[0] = connected(&address);
    ends[1] = accept(file, NULL, NULL);
    close(file);
  } else
    socketpair(AF_UNIX, kind == LOCAL ? SOCK_STREAM : SOCK_SEQPACKET, 0, ends);
  for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFL, O_NONBLOCK);
}

static void connections(enum kind kind, unsigned events) {
  char bytes[8];
  int ends[2];
  say("kind %d, events %x:", kind, events);
  connection(kind, ends);
  watch(ends[0], events);
  look("first");
  look("again");
  write(ends[1], "a", 1);
  look("came");
  read(ends[0], bytes, 8);
  write(ends[1], "b", 1);
  look("came again");
  write(ends[0], "c", 1);
  look("written");
  read(ends[1], bytes, 8);
  look("read");
  write(ends[0], "de", 2);
  read(ends[1], bytes, 1);
  look("read a part");
  read(ends[1], bytes, 1);
  look("read all");
  shutdown(ends[1], SHUT_RD);
  look("reads no more");
  shutdown(ends[1], SHUT_WR);
  look("writes no more");
  shutdown(ends[0], SHUT_RD);
  look("we read no more");
  shutdown(ends[0], SHUT_WR);
  look("we write no more");
  say("\n  closed:");
  connection(kind, ends);
  watch(ends[0], events);
  write(ends[1], "a", 1);
  look("came");
  read(ends[0], bytes, 8);
  close(ends[1]);
  look("closed");
  look("again");
  say("\n  reset:");
  connection(kind, ends);
  watch(ends[0], events);
  write(ends[0], "a", 1);
  look("written");
  close(ends[1]);
  look("closed");
  look("again");
  say("\n");
}

static void accepting(void) {
  struct sockaddr_in address;
  int file = listener(&address);
  watch(file, EPOLLIN);
  look("listens");
  connected(&address);
  look("one");
  look("again");
  accept(file, NULL, NULL);
  accept(file, NULL, NULL);
  connected(&address);
  look("another");
  connected(&address);
  look("one more");
  const int unconnected = socket(AF_INET, SOCK_STREAM, 0);
  watch(unconnected, EPOLLIN | EPOLLOUT);
  look("unconnected");
  connect(unconnected, (void *)&address, sizeof address);
  look("connected");
  say("\n");
  struct sockaddr_un name = {AF_UNIX, "\0epoll edges"};
  file = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
  bind(file, (void *)&name, sizeof name);
  listen(file, 8);
  watch(file, EPOLLIN);
  for (int i = 0; i < 2; i++) {
    const int end = socket(AF_UNIX, SOCK_STREAM, 0);
    watch(i == 0 ? end : file, EPOLLIN | EPOLLOUT);
    look("before");
    connect(end, (void *)&name, sizeof name);
    look("connected");
    accept(file, NULL, NULL);
  }
  accept(file, NULL, NULL);
  connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&name, sizeof name);
  look("another");
  say("\n");
}

static void others(void) {
  char bytes[8];
  int ends[2];
  pipe(ends);
  watch(ends[0], EPOLLIN);
  for (int i = 0; i < 2; i++) {
    write(ends[1], "a", 1);
    look("pipe");
  }
  close(ends[1]);
  look("closed");
  mkfifo("fifo", 0600);
  const int reader = open("fifo", O_RDONLY | O_NONBLOCK);
  int writer = open("fifo", O_WRONLY);
  watch(reader, EPOLLIN);
  write(writer, "a", 1);
  look("fifo");
  for (int i = 0; i < 2; i++) {
    close(writer);
    look("closed");
    writer = open("fifo", O_WRONLY);
    look("open");
  }
  unlink("fifo");
  say("\n");
  const int counter = eventfd(0, EFD_NONBLOCK);
  uint64_t value = 1;
  watch(counter, EPOLLIN | EPOLLOUT);
  look("counter");
  for (int i = 0; i < 2; i++) {
    write(counter, &value, 8);
    look("added");
  }
  read(counter, &value, 8);
  look("read");
  value = 1;
  write(counter, &value, 8);
  read(counter, &value, 8);
  look("both");
  say("\n");
  pipe(ends);
  watch(ends[0], EPOLLIN);
  const int inner = dup(queue);
  watch(inner, EPOLLIN);
  for (int i = 0; i < 2; i++) {
    write(ends[1], "a", 1);
    look("inner");
    look("again");
    epoll_wait(inner, &(struct epoll_event){0}, 1, 0);
  }
  struct sockaddr_in address;
  close(listener(&address));
  const int messages = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  connect(messages, (void *)&address, sizeof address);
  watch(messages, EPOLLOUT);
  look("messages");
  for (int i = 0; i < 2; i++) {
    write(messages, "a", 1);
    look("refused");
    read(messages, bytes, 1);
    look("told");
  }
  say("\n");
}

/* Who is told of one at a time hears of all in turn. */
static void turns(void) {
  int ends[3][2];
  char byte;
  struct epoll_event event;
  close(queue);
  queue = epoll_create1(0);
  for (int i = 0; i < 3; i++) {
    pipe(ends[i]);
    if (i < 2) write(ends[i][1], "abcd", 4);
    epoll_ctl(queue, EPOLL_CTL_ADD, ends[i][0], &(struct epoll_event){EPOLLIN, {.u32 = i}});
  }
  for (int i = 0; i < 10; i++) {
    if (epoll_wait(queue, &event, 1, 0) == 0) break;
    say("turn of %d ", event.data.u32);
    read(ends[event.data.u32][0], &byte, 1);
    if (i == 2) write(ends[2][1], "ab", 2);
  }
  say("\n");
}

/* The other end goes on between the call that finds nothing and the one that waits. */
static void between(void) {
  struct sockaddr_in address;
  struct epoll_event event;
  const int file = listener(&address);
  int accepted = 0, ends[2], length;
  char bytes[8];
  pipe(ends);
  for (int i = 0; i < 2; i++)
    if (fork() == 0) {
      if (i == 1) read(ends[0], bytes, 1);
      const int end = connected(&address);
      write(end, "a", 1);
      read(end, bytes, 1);
      _exit(0);
    }
  watch(file, EPOLLIN);
  int last = 0;
  while (accepted < 2 && epoll_wait(queue, &event, 1, 3000) > 0)
    for (int end; (end = accept4(file, NULL, NULL, SOCK_NONBLOCK)) >= 0; last = end)
      if (++accepted == 1) write(ends[1], "a", 1);
  say("accepted %d\n", accepted);
  watch(last, EPOLLIN);
  do {
    if (epoll_wait(queue, &event, 1, 3000) == 0) {
      say("lost\n");
      break;
    }
    while ((length = read(last, bytes, 8)) > 0) write(last, bytes, length);
  } while (length != 0);
  say("the end\n");
}

int main(void) {
  alarm(20);
  signal(SIGPIPE, SIG_IGN);
  for (enum kind kind = LOCAL; kind <= INTERNET; kind++)
    for (int i = 0; i < 3; i++) connections(kind, (unsigned[]){EPOLLIN, EPOLLOUT, EPOLLIN | EPOLLOUT}[i]);
  accepting();
  others();
  turns();
  between();
}
