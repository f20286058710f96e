#include "common.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

/* The loopback interface: the processes of a guest reach one another. Ports are the kernel's choice, and not said. */

static struct sockaddr_in at(unsigned host, int port) {
  return (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(host) };
}
static int bound(int type, unsigned host, int port) {
  int end = socket(AF_INET, type, 0);
  struct sockaddr_in address = at(host, port);
  if (bind(end, (struct sockaddr *)&address, sizeof address)) say("bind: %d\n", errno);
  return end;
}
static struct sockaddr_in own(int end) {
  struct sockaddr_in address;
  socklen_t length = sizeof address;
  getsockname(end, (struct sockaddr *)&address, &length);
  return address;
}
static int port_of(int end) { return ntohs(own(end).sin_port); }
static int towards(int end, unsigned host, int port) {
  struct sockaddr_in address = at(host, port);
  return failure(connect(end, (struct sockaddr *)&address, sizeof address));
}
static int option(int end, int level, int name) {
  int value = -1;
  socklen_t length = sizeof value;
  return getsockopt(end, level, name, &value, &length) ? -errno : value;
}
static void show(const char *what, struct sockaddr_in address) {
  say("%s: family %d, %s, port %s\n", what, address.sin_family, inet_ntoa(address.sin_addr), address.sin_port ? "some" : "none");
}

static void made(void) {
  say("made: raw %d, of no type %d, of another protocol %d, pair %d\n", failure(socket(AF_INET, SOCK_RAW, 0)),
      failure(socket(AF_INET, 77, 0)), failure(socket(AF_INET, SOCK_STREAM, IPPROTO_UDP)),
      failure(socketpair(AF_INET, SOCK_STREAM, 0, (int[2]){})));
  int end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP);
  show("unbound", own(end));
  say("type %d, family %d, protocol %d, listens %d, error %d\n", option(end, SOL_SOCKET, SO_TYPE),
      option(end, SOL_SOCKET, SO_DOMAIN), option(end, SOL_SOCKET, SO_PROTOCOL), option(end, SOL_SOCKET, SO_ACCEPTCONN),
      option(end, SOL_SOCKET, SO_ERROR));
  int yes = 1;
  say("options %d %d", failure(setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &yes, 4)),
      failure(setsockopt(end, SOL_SOCKET, SO_REUSEADDR, &yes, 4)));
  say(": %d %d %d\n", option(end, IPPROTO_TCP, TCP_NODELAY), option(end, SOL_SOCKET, SO_REUSEADDR),
      option(end, SOL_SOCKET, SO_KEEPALIVE));
  char c;
  say("alone: read %d, name %d", failure(recv(end, &c, 1, 0)), failure(getpeername(end, (struct sockaddr *)&(struct sockaddr_in){}, &(socklen_t){ 16 })));
  say(", write %d", failure(send(end, "x", 1, MSG_NOSIGNAL)));
  struct pollfd asked = { end, POLLIN | POLLOUT };
  poll(&asked, 1, 0);
  say(", poll %x, accept %d, shut %d\n", asked.revents, failure(accept(end, 0, 0)), failure(shutdown(end, SHUT_RD)));
  struct sockaddr_in address = at(0xc0000201, 0);
  say("elsewhere %d", failure(bind(end, (struct sockaddr *)&address, 16)));
  say(", short %d", failure(bind(end, (struct sockaddr *)&address, 8)));
  address.sin_family = AF_INET6;
  say(", another family %d\n", failure(bind(end, (struct sockaddr *)&address, 16)));
  say("listens %d", failure(listen(end, 3)));
  show(", by itself", own(end));
  address = at(INADDR_LOOPBACK, 0);
  say("again %d", failure(bind(end, (struct sockaddr *)&address, 16)));
  say(", taken");
  int other = bound(SOCK_STREAM, INADDR_LOOPBACK, port_of(end));
  say("datagrams have their own: ");
  bound(SOCK_DGRAM, INADDR_LOOPBACK, port_of(end));
  say("none\n");
}

static void streams(void) {
  int server = bound(SOCK_STREAM, INADDR_ANY, 0);
  say("nobody listens %d\n", towards(socket(AF_INET, SOCK_STREAM, 0), INADDR_LOOPBACK, port_of(server)));
  listen(server, 5);
  int port = port_of(server);
  pid_t child = fork();
  if (child == 0) {
    int end = socket(AF_INET, SOCK_STREAM, 0);
    int result = towards(end, INADDR_LOOPBACK, port);
    struct sockaddr_in peer;
    socklen_t length = sizeof peer;
    getpeername(end, (struct sockaddr *)&peer, &length);
    int is_right = ntohs(peer.sin_port) == port;
    int mine = port_of(end);
    write(end, &mine, sizeof mine);
    write(end, "question", 8);
    shutdown(end, SHUT_WR);
    char text[64] = "";
    long got = recv(end, text, 6, MSG_WAITALL);
    say("child: %d, %s %d, %ld %s", result, inet_ntoa(peer.sin_addr), is_right, got, text);
    got = read(end, text, 64);
    say(", then %ld, connected %d\n", got, towards(end, INADDR_LOOPBACK, port));
    _exit(0);
  }
  struct sockaddr_in peer;
  socklen_t length = sizeof peer;
  int end = accept(server, (struct sockaddr *)&peer, &length);
  int theirs = 0;
  recv(end, &theirs, sizeof theirs, MSG_WAITALL);
  say("accepted: %d bytes of address, family %d, %s, its port %d, ours %d\n", (int)length, peer.sin_family,
      inet_ntoa(peer.sin_addr), ntohs(peer.sin_port) == theirs, port_of(end) == port);
  show("own", own(end));
  char text[64] = "";
  long got = recv(end, text, 8, MSG_WAITALL);
  say("%ld %s", got, text);
  struct sockaddr_in source;
  length = sizeof source;
  got = recvfrom(end, text, 8, 0, (struct sockaddr *)&source, &length);
  say(", then %ld, source %d\n", got, (int)length);
  send(end, "ans", 3, MSG_MORE);
  send(end, "wer", 3, 0);
  close(end);
  ended(child);

  int yes = 1;
  int late = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  say("at once %d", towards(late, INADDR_LOOPBACK, port));
  struct pollfd asked = { late, POLLOUT };
  poll(&asked, 1, 1000);
  say(", ready %x, error %d, again %d, and again %d\n", asked.revents, option(late, SOL_SOCKET, SO_ERROR),
      towards(late, INADDR_LOOPBACK, port), towards(late, INADDR_LOOPBACK, port));
  end = accept4(server, 0, 0, SOCK_NONBLOCK);
  say("nothing yet %d", failure(read(end, text, 1)));
  close(late);
  asked = (struct pollfd){ end, POLLIN | POLLOUT | POLLRDHUP };
  poll(&asked, 1, 1000);
  say(", gone %x %ld\n", asked.revents, (long)read(end, text, 1));
  say("sent %d", failure(send(end, "x", 1, MSG_NOSIGNAL)));
  say(", then %d\n", failure(send(end, "x", 1, MSG_NOSIGNAL)));
  late = socket(AF_INET, SOCK_STREAM, 0);
  towards(late, INADDR_LOOPBACK, port);
  end = accept(server, 0, 0);
  write(late, "unread", 6);
  recv(end, text, 2, MSG_WAITALL);
  close(end);
  asked = (struct pollfd){ late, POLLIN | POLLOUT };
  poll(&asked, 1, 1000);
  say("reset %x %d", asked.revents, failure(read(late, text, 1)));
  say(", then %d", failure(send(late, "x", 1, MSG_NOSIGNAL)));
  say(" and %ld\n", (long)read(late, text, 1));
  int closed = bound(SOCK_STREAM, INADDR_LOOPBACK, 0);
  int refused = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  say("refused %d", towards(refused, INADDR_LOOPBACK, port_of(closed)));
  asked = (struct pollfd){ refused, POLLIN | POLLOUT };
  poll(&asked, 1, 1000);
  say(", ready %x, error %d", asked.revents, option(refused, SOL_SOCKET, SO_ERROR));
  say(", then %d\n", option(refused, SOL_SOCKET, SO_ERROR));

  int queue = epoll_create1(0);
  epoll_ctl(queue, EPOLL_CTL_ADD, server, &(struct epoll_event){ EPOLLIN, { .fd = server } });
  struct epoll_event event;
  say("before %d", epoll_wait(queue, &event, 1, 0));
  int last = socket(AF_INET, SOCK_STREAM, 0);
  towards(last, INADDR_ANY, port);
  say(", behind %d\n", epoll_wait(queue, &event, 1, 1000));
  show("for any host", own(last));
}

/* How much goes to an end that does not read: many small writes, and of large ones not all. */
static void full(void) {
  static char many[1 << 16];
  int server = bound(SOCK_STREAM, INADDR_LOOPBACK, 0), from = socket(AF_INET, SOCK_STREAM, 0);
  listen(server, 5);
  towards(from, INADDR_LOOPBACK, port_of(server));
  int to = accept(server, 0, 0);
  for (int i = 0; i < 1000; i++) send(from, "0123456789", 10, 0);
  say("small ones %ld\n", (long)recv(to, many, 10000, MSG_WAITALL));
  fcntl(from, F_SETFL, O_NONBLOCK);
  long total = 0, got, left;
  for (int i = 0; i < 50000; i++) total += send(from, "01234567890123456789", 20, 0);
  say("more of them %ld\n", total);
  while ((got = send(from, many, sizeof many, 0)) > 0) total += got;
  struct pollfd asked = { from, POLLOUT };
  say("some megabytes %d, full %d %d\n", total > 1500000 && total < 8000000, errno, poll(&asked, 1, 0));
  for (left = total; left > 0 && (got = read(to, many, sizeof many)) > 0;) left -= got;
  say("all of them %ld, room %d\n", left, poll(&asked, 1, 1000));
}

static void datagrams(void) {
  int a = bound(SOCK_DGRAM, INADDR_LOOPBACK, 0), b = bound(SOCK_DGRAM, INADDR_ANY, 0);
  struct sockaddr_in to = at(INADDR_LOOPBACK, port_of(b)), from;
  socklen_t length = sizeof from;
  char text[64] = "";
  say("datagrams: %ld", (long)sendto(a, "hello", 5, 0, (struct sockaddr *)&to, sizeof to));
  say(" %ld", (long)sendto(a, "", 0, 0, (struct sockaddr *)&to, sizeof to));
  say(" %ld\n", (long)sendto(a, "long one", 8, 0, (struct sockaddr *)&to, sizeof to));
  long got = recvfrom(b, text, sizeof text, 0, (struct sockaddr *)&from, &length);
  say("%ld %s from it %d\n", got, text, port_of(a) == ntohs(from.sin_port));
  got = recv(b, text, sizeof text, 0);
  say("%ld, ", got);
  got = recv(b, text, 4, MSG_TRUNC);
  say("%ld %.4s, then %d\n", got, text, failure(recv(b, text, 4, MSG_DONTWAIT)));
  say("no address %d, too long %d\n", failure(send(a, "x", 1, 0)),
      failure(sendto(a, calloc(1, 70000), 70000, 0, (struct sockaddr *)&to, sizeof to)));
  int c = socket(AF_INET, SOCK_DGRAM, 0);
  say("connected %d", towards(c, INADDR_LOOPBACK, port_of(b)));
  show("", own(c));
  say("sent %ld", (long)send(c, "from c", 6, 0));
  recvfrom(b, text, sizeof text, 0, (struct sockaddr *)&from, &length);
  say(" %d", ntohs(from.sin_port) == port_of(c));
  to = own(c);
  sendto(a, "not for you", 11, 0, (struct sockaddr *)&to, sizeof to);
  sendto(b, "reply", 5, 0, (struct sockaddr *)&to, sizeof to);
  got = recv(c, text, sizeof text, 0);
  say(", %.*s, and no more %d\n", (int)got, text, failure(recv(c, text, 4, MSG_DONTWAIT)));
  int gone = bound(SOCK_DGRAM, INADDR_LOOPBACK, 0);
  int nobody = port_of(gone);
  close(gone);
  towards(c, INADDR_LOOPBACK, nobody);
  say("to nobody %d", failure(send(c, "x", 1, 0)));
  say(", heard of it %d", failure(send(c, "x", 1, 0)));
  say(", %d", failure(recv(c, text, 1, MSG_DONTWAIT)));
  to = at(INADDR_LOOPBACK, nobody);
  say(", not connected %d %d\n", failure(sendto(a, "x", 1, 0, (struct sockaddr *)&to, sizeof to)),
      failure(recv(a, text, 1, MSG_DONTWAIT)));
  struct sockaddr none = { AF_UNSPEC };
  say("undone %d", failure(connect(c, &none, sizeof none)));
  say(", alone %d\n", failure(send(c, "x", 1, 0)));
}

int main(void) {
  alarm(20);
  made();
  streams();
  full();
  datagrams();
}
