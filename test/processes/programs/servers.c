#include "common.h"
#include <sys/socket.h>
#include <sys/un.h>

/* Sockets with names, which processes find each other by. */

static void show(const char *what, long result) {
  int error = errno;
  say("%s %ld %s\n", what, result, result < 0 ? strerror(error) : "");
}
#define SHOW(call) (errno = 0, show(#call, call))

static struct sockaddr_un address;
static socklen_t named(const char *name, int length) {
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path, name, length);
  return 2 + length;
}
#define NAME(text) named(text, sizeof text)

static void print_name(const char *what, struct sockaddr_un *name, socklen_t length) {
  say("%s %d '", what, length);
  for (int i = 0; i < (int)length - 2; i++) say("%c", name->sun_path[i] ? name->sun_path[i] : '.');
  say("'\n");
}

static void names(int socket) {
  struct sockaddr_un name;
  socklen_t length = sizeof name;
  getsockname(socket, (void *)&name, &length);
  print_name("own", &name, length);
  length = sizeof name;
  if (getpeername(socket, (void *)&name, &length) == 0) print_name("peer", &name, length);
  else say("no peer %d\n", errno);
}

static void serve(int type, const char *name, int name_length) {
  say("-- type %d %s\n", type, name[0] ? name : "abstract");
  int server = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
  char text[64];
  struct pollfd polled = {server, POLLIN | POLLOUT, 0};
  SHOW(poll(&polled, 1, 0));
  say("%x\n", polled.revents);
  SHOW(listen(server, 5));
  SHOW(read(server, text, 1));
  SHOW(send(server, "x", 1, MSG_NOSIGNAL));
  SHOW(bind(server, (void *)&address, named(name, name_length)));
  SHOW(bind(server, (void *)&address, NAME("again")));
  int second = socket(AF_UNIX, type, 0);
  SHOW(bind(second, (void *)&address, named(name, name_length)));
  SHOW(connect(second, (void *)&address, named(name, name_length)));
  SHOW(listen(server, 1));
  SHOW(fcntl(server, F_SETFL, O_NONBLOCK));
  SHOW(accept(server, NULL, NULL));
  fcntl(server, F_SETFL, 0);
  SHOW(poll(&polled, 1, 0));
  int value = -1;
  socklen_t length = sizeof value;
  getsockopt(server, SOL_SOCKET, SO_ACCEPTCONN, &value, &length);
  say("listens %d\n", value);
  names(server);
  pid_t child = fork();
  if (child == 0) {
    close(server);
    usleep(10000);
    int client = socket(AF_UNIX, type, 0);
    if (connect(client, (void *)&address, named(name, name_length))) say("cannot connect %d\n", errno);
    write(client, "question", 8);
    long count = read(client, text, 64);
    say("child read %.*s\n", (int)count, text);
    say("child read %ld\n", read(client, text, 64));
    names(client);
    struct ucred peer;
    length = sizeof peer;
    getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &length);
    say("server is the parent %d\n", peer.pid == getppid());
    _exit(0);
  }
  struct sockaddr_un from;
  length = sizeof from;
  int end = accept4(server, (void *)&from, &length, SOCK_CLOEXEC);
  print_name("from", &from, length);
  say("accepted %d %d\n", end >= 0, fcntl(end, F_GETFD));
  long count = read(end, text, 64);
  say("read %.*s\n", (int)count, text);
  names(end);
  struct ucred peer;
  length = sizeof peer;
  getsockopt(end, SOL_SOCKET, SO_PEERCRED, &peer, &length);
  say("client is the child %d\n", peer.pid == child);
  write(end, "answer", 6);
  close(end);
  say("ended %d\n", ended(child));
  /* Connected before anybody accepts. */
  SHOW(connect(second, (void *)&address, named(name, name_length)));
  SHOW(connect(second, (void *)&address, named(name, name_length)));
  SHOW(write(second, "early", 5));
  SHOW(poll(&polled, 1, 0));
  say("%x\n", polled.revents);
  int third = socket(AF_UNIX, type | SOCK_NONBLOCK, 0), fourth = socket(AF_UNIX, type | SOCK_NONBLOCK, 0);
  SHOW(connect(third, (void *)&address, named(name, name_length)));
  SHOW(connect(fourth, (void *)&address, named(name, name_length)));
  end = accept(server, NULL, NULL);
  SHOW(read(end, text, 64));
  close(server);
  SHOW(connect(fourth, (void *)&address, named(name, name_length)));
  struct pollfd left = {third, POLLIN, 0};
  SHOW(poll(&left, 1, 0));
  say("%x\n", left.revents);
  SHOW(read(third, text, 1));
  close(end), close(second), close(third), close(fourth);
  if (name[0]) unlink(name);
}

static void datagrams(void) {
  int receiver = socket(AF_UNIX, SOCK_DGRAM, 0), sender = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  char text[64];
  say("-- datagrams\n");
  SHOW(bind(receiver, (void *)&address, NAME("receiver")));
  struct stat facts;
  stat("receiver", &facts);
  say("socket %d\n", S_ISSOCK(facts.st_mode));
  SHOW(open("receiver", O_RDWR));
  SHOW(send(sender, "x", 1, 0));
  SHOW(sendto(sender, "unnamed", 7, 0, (void *)&address, NAME("receiver")));
  SHOW(bind(sender, (void *)&address, NAME("sender")));
  SHOW(sendto(sender, "named", 5, 0, (void *)&address, NAME("receiver")));
  SHOW(sendto(sender, "lost", 4, 0, (void *)&address, NAME("nobody")));
  SHOW(connect(sender, (void *)&address, NAME("receiver")));
  SHOW(send(sender, "connected", 9, 0));
  for (int i = 0; i < 3; i++) {
    struct sockaddr_un from;
    socklen_t length = sizeof from;
    long count = recvfrom(receiver, text, 64, 0, (void *)&from, &length);
    say("%.*s ", (int)count, text);
    print_name("from", &from, length);
  }
  close(receiver);
  SHOW(send(sender, "late", 4, 0));
  SHOW(sendto(sender, "late", 4, 0, (void *)&address, NAME("receiver")));
  SHOW(listen(sender, 1));
  unlink("receiver"), unlink("sender");
  int stream = socket(AF_UNIX, SOCK_STREAM, 0), other = socket(AF_UNIX, SOCK_DGRAM, 0);
  bind(stream, (void *)&address, NAME("stream"));
  SHOW(connect(other, (void *)&address, NAME("stream")));
  SHOW(connect(other, (void *)&address, NAME("missing")));
  SHOW(sendto(stream, "x", 1, MSG_NOSIGNAL, (void *)&address, NAME("stream")));
  SHOW(bind(other, (void *)&address, 2));
  struct sockaddr_un name;
  socklen_t length = sizeof name;
  getsockname(other, (void *)&name, &length);
  say("automatic name %d %d\n", length, name.sun_path[0]);
  unlink("stream");
}

static void modes(void) {
  int server = socket(AF_UNIX, SOCK_STREAM, 0), ends[2];
  struct stat facts;
  bind(server, (void *)&address, NAME("guarded"));
  SHOW(chmod("guarded", 0710));
  stat("guarded", &facts);
  say("%o\n", facts.st_mode);
  unlink("guarded");
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  SHOW(fchmod(ends[0], 0600));
  fstat(ends[0], &facts);
  say("%o\n", facts.st_mode);
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  alarm(20);
  serve(SOCK_STREAM, "server", 7);
  serve(SOCK_SEQPACKET, "server", 7);
  serve(SOCK_STREAM, "\0ilp-gate-test", 14);
  datagrams();
  modes();
}
