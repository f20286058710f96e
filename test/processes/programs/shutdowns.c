#include "connections.h"
#include <pthread.h>
#include <sys/un.h>

/* What shutdown leaves of connections, and of sockets that listen. */

static void show(const char *what, long result) {
  int error = errno;
  say("%s %ld %s\n", what, result, result < 0 ? strerror(error) : "");
}
#define SHOW(call) (errno = 0, show(#call, call))

static void polled(const char *what, int end) {
  struct pollfd asked = {end, POLLIN | POLLOUT | POLLRDHUP};
  poll(&asked, 1, 2);
  say("%s %x\n", what, asked.revents);
}
static void polled_both(const int *ends) {
  polled("poll 0:", ends[0]);
  polled("poll 1:", ends[1]);
}

static void between(enum kind kind, int how) {
  int ends[2];
  char text[16];
  say("-- kind %d, how %d\n", kind, how);
  connected(kind, ends);
  write(ends[1], "hello", 5), write(ends[1], "you", 3), write(ends[0], "back", 4);
  usleep(1000);
  SHOW(shutdown(ends[0], how));
  polled_both(ends);
  SHOW(recv(ends[0], text, 3, MSG_DONTWAIT));
  SHOW(recv(ends[0], text, 9, MSG_DONTWAIT));
  SHOW(recv(ends[0], text, 9, MSG_DONTWAIT));
  SHOW(send(ends[0], "x", 1, 0));
  polled("poll 0:", ends[0]);
  SHOW(send(ends[1], "late", 4, 0));
  usleep(1000);
  int is_reset = kind == TCP && how == SHUT_RDWR;
  if (!is_reset) {
    polled_both(ends);
    SHOW(recv(ends[0], text, 9, MSG_DONTWAIT));
    SHOW(recv(ends[0], text, 9, MSG_DONTWAIT));
  }
  SHOW(send(ends[1], "later", 5, 0));
  for (int i = 0; i < 3; i++) SHOW(recv(ends[1], text, 9, MSG_DONTWAIT));
  if (is_reset) {
    close(ends[0]), close(ends[1]);
    return;
  }
  polled_both(ends);
  SHOW(shutdown(ends[0], how));
  SHOW(shutdown(ends[1], SHUT_RD));
  SHOW(recv(ends[1], text, 9, MSG_DONTWAIT));
  polled_both(ends);
  SHOW(shutdown(ends[1], SHUT_WR));
  polled_both(ends);
  SHOW(shutdown(ends[0], SHUT_RDWR));
  usleep(1000);
  SHOW(shutdown(ends[1], SHUT_RDWR));
  for (int i = 0; i < 2; i++) SHOW(recv(ends[i], text, 9, MSG_DONTWAIT));
  polled_both(ends);
  struct sockaddr_storage name;
  socklen_t length = sizeof name;
  SHOW(getpeername(ends[0], (void *)&name, &length));
  close(ends[0]);
  polled("poll 1:", ends[1]);
  SHOW(recv(ends[1], text, 9, MSG_DONTWAIT));
  SHOW(send(ends[1], text, 9, MSG_DONTWAIT));
  close(ends[1]);
}

static void unconnected(void) {
  int end = socket(AF_UNIX, SOCK_STREAM, 0);
  SHOW(shutdown(end, SHUT_RD));
  SHOW(shutdown(end, 7));
  end = socket(AF_UNIX, SOCK_DGRAM, 0);
  SHOW(shutdown(end, SHUT_RDWR));
  polled("datagrams", end);
  end = socket(AF_INET, SOCK_STREAM, 0);
  SHOW(shutdown(end, SHUT_RD));
  end = socket(AF_INET, SOCK_DGRAM, 0);
  SHOW(shutdown(end, 7));
  SHOW(shutdown(end, SHUT_RDWR));
  polled("UDP", end);
}

/* A connection is over when nobody accepts it any more: by TCP at once, else when it has been accepted or its listener closed. */
static void listening(int family, int type, int how, int is_early) {
  say("-- family %d, type %d, how %d%s\n", family, type, how, is_early ? ", somebody waits" : "");
  int server = socket(family, type, 0);
  struct sockaddr_un path = {AF_UNIX, "\0shutdowns-test"};
  struct sockaddr_in address;
  void *name = family == AF_UNIX ? (void *)&path : (void *)&address;
  socklen_t length = family == AF_UNIX ? 2 + 15 : sizeof address;
  if (family == AF_UNIX) bind(server, name, length);
  else address = bound(server);
  listen(server, 4);
  fcntl(server, F_SETFL, O_NONBLOCK);
  int client = socket(family, type, 0), late = socket(family, type, 0);
  char text[8];
  if (is_early) {
    SHOW(connect(client, name, length));
    SHOW(send(client, "hey", 3, 0));
  }
  polled("before", server);
  SHOW(shutdown(server, how));
  polled("behind", server);
  int listens = -1;
  socklen_t size = sizeof listens;
  getsockopt(server, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size);
  say("listens %d\n", listens);
  int accepted = accept(server, NULL, NULL);
  say("accepted %d %d\n", accepted >= 0, accepted < 0 ? errno : 0);
  if (is_early) {
    polled("client", client);
    SHOW(recv(client, text, 8, MSG_DONTWAIT));
    SHOW(send(client, "x", 1, MSG_NOSIGNAL));
  }
  SHOW(connect(late, name, length));
  close(late);
  SHOW(shutdown(server, how));
  if (family != AF_INET || how == SHUT_WR) polled("again", server);
  SHOW(listen(server, 4));
  close(accepted), close(client), close(server);
}

static long (*waiting)(int);
static long in_accept(int end) { return accept(end, NULL, NULL); }
static long in_recv(int end) { return recv(end, &(char){0}, 1, 0); }
static void *wait_for(void *end) {
  errno = 0;
  long result = waiting(*(int *)end);
  say("woken: %ld %s\n", result, strerror(errno));
  return NULL;
}
static void woken(int end, long (*what)(int)) {
  pthread_t thread;
  waiting = what;
  pthread_create(&thread, NULL, wait_for, &end);
  usleep(20000);
  errno = 0;
  int result = shutdown(end, SHUT_RDWR), error = errno;
  pthread_join(thread, NULL);
  say("shut: %d %s\n", result, strerror(error));
}

static void woken_all(void) {
  int ends[2];
  for (enum kind kind = STREAM; kind <= UDP; kind++) {
    connected(kind, ends);
    woken(ends[0], in_recv);
  }
  int end = socket(AF_INET, SOCK_DGRAM, 0);
  bound(end);
  woken(end, in_recv);
  end = socket(AF_INET, SOCK_STREAM, 0);
  bound(end);
  listen(end, 1);
  woken(end, in_accept);
  end = socket(AF_UNIX, SOCK_STREAM, 0);
  bind(end, (void *)&(struct sockaddr_un){AF_UNIX, "\0shutdowns-woken"}, 2 + 16);
  listen(end, 1);
  woken(end, in_accept);
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  alarm(20);
  for (enum kind kind = STREAM; kind <= UDP; kind++)
    for (int how = SHUT_RD; how <= SHUT_RDWR; how++) between(kind, how);
  unconnected();
  for (int how = SHUT_RD; how <= SHUT_RDWR; how++)
    for (int is_early = 0; is_early < 2; is_early++) {
      listening(AF_INET, SOCK_STREAM, how, is_early);
      listening(AF_UNIX, SOCK_STREAM, how, is_early);
      listening(AF_UNIX, SOCK_SEQPACKET, how, is_early);
    }
  woken_all();
}
