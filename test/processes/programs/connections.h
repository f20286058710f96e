#include "common.h"
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

/* Two ends that are connected, of each kind. */

static struct sockaddr_in bound(int end) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  bind(end, (void *)&address, length);
  getsockname(end, (void *)&address, &length);
  return address;
}

enum kind { STREAM, DATAGRAM, PACKETS, TCP, UDP };

static void connected(enum kind kind, int *ends) {
  if (kind < TCP) {
    socketpair(AF_UNIX, kind == STREAM ? SOCK_STREAM : kind == DATAGRAM ? SOCK_DGRAM : SOCK_SEQPACKET, 0, ends);
  } else if (kind == TCP) {
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = bound(server);
    listen(server, 1);
    ends[1] = socket(AF_INET, SOCK_STREAM, 0);
    connect(ends[1], (void *)&address, sizeof address);
    ends[0] = accept(server, NULL, NULL);
    setsockopt(ends[1], IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    close(server);
  } else {
    struct sockaddr_in names[2];
    for (int i = 0; i < 2; i++) names[i] = bound(ends[i] = socket(AF_INET, SOCK_DGRAM, 0));
    for (int i = 0; i < 2; i++) connect(ends[i], (void *)&names[!i], sizeof names[0]);
  }
}
