#include "common.h"
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

/* Which options can be set and asked for, and what is there before. */

static void tried(int family, int type, int level, int option, const void *value, socklen_t length) {
  int end = socket(family, type, 0);
  say("family %d, type %d, level %d, option %d: set %d", family, type, level, option,
      failure(setsockopt(end, level, option, value, length)));
  int found[16] = {0};
  socklen_t room = sizeof found;
  int problem = failure(getsockopt(end, level, option, found, &room));
  say(", got %d\n", problem);
  close(end);
}

static void initial(int type, int level, int option) {
  int end = socket(AF_INET, type, 0), value = -1;
  socklen_t length = sizeof value;
  int problem = failure(getsockopt(end, level, option, &value, &length));
  say("type %d, level %d, option %d: %d, %d in %d bytes\n", type, level, option, problem, value, length);
  close(end);
}

#define COUNT(list) (int)(sizeof list / sizeof *list)

static const int of_sockets[] = {SO_REUSEADDR, SO_DONTROUTE, SO_BROADCAST, SO_SNDBUF, SO_RCVBUF, SO_KEEPALIVE, SO_OOBINLINE,
                                 SO_RCVLOWAT, SO_TIMESTAMP, SO_TIMESTAMPNS, SO_RXQ_OVFL, SO_PRIORITY};
static const int of_ip[] = {IP_TOS, IP_TTL, IP_RECVOPTS, IP_PKTINFO, IP_MTU_DISCOVER, IP_RECVERR, IP_RECVTTL, IP_RECVTOS,
                            IP_FREEBIND, IP_MINTTL, IP_BIND_ADDRESS_NO_PORT, IP_MULTICAST_LOOP};
static const int of_tcp[] = {TCP_NODELAY, TCP_CORK, TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT, TCP_SYNCNT, TCP_LINGER2,
                             TCP_DEFER_ACCEPT, TCP_QUICKACK, TCP_USER_TIMEOUT, TCP_FASTOPEN, TCP_NOTSENT_LOWAT};

int main(void) {
  int one = 1;
  int families[] = {AF_INET, AF_UNIX}, types[] = {SOCK_STREAM, SOCK_DGRAM};
  for (int f = 0; f < 2; f++)
    for (int t = 0; t < 2; t++) {
      int family = families[f], type = types[t];
      for (int i = 0; i < COUNT(of_sockets); i++) tried(family, type, SOL_SOCKET, of_sockets[i], &one, 4);
      for (int i = 0; i < COUNT(of_ip); i++) tried(family, type, IPPROTO_IP, of_ip[i], &one, 4);
      for (int i = 0; i < COUNT(of_tcp); i++)
        if (of_tcp[i] != TCP_FASTOPEN || type == SOCK_DGRAM) tried(family, type, IPPROTO_TCP, of_tcp[i], &one, 4);
      tried(family, type, IPPROTO_IPV6, IPV6_V6ONLY, &one, 4);
      tried(family, type, IPPROTO_UDP, 101, &one, 4);
      tried(family, type, IPPROTO_UDP, 77, &one, 4);
      tried(family, type, SOL_SOCKET, SO_TYPE, &one, 4);
      tried(family, type, SOL_SOCKET, SO_ERROR, &one, 4);
      tried(family, type, SOL_SOCKET, SO_ACCEPTCONN, &one, 4);
      tried(family, type, SOL_SOCKET, 0, &one, 4);
      tried(family, type, SOL_SOCKET, 200, &one, 4);
      tried(family, type, IPPROTO_IP, 60, &one, 4);
      tried(family, type, IPPROTO_TCP, 200, &one, 4);
      tried(family, type, 1000, 1, &one, 4);
      tried(family, type, SOL_SOCKET, SO_KEEPALIVE, &one, 3);
      tried(family, type, SOL_SOCKET, SO_LINGER, &one, 4);
      tried(family, type, SOL_SOCKET, SO_LINGER, &(struct linger){1, 2}, 8);
      tried(family, type, SOL_SOCKET, SO_KEEPALIVE, &one, -1);
      tried(family, type, SOL_SOCKET, SO_KEEPALIVE, (void *)8, 4);
      tried(family, type, SOL_SOCKET, SO_BINDTODEVICE, "none", 4);
      tried(family, type, SOL_SOCKET, SO_BINDTODEVICE, "lo", 2);
      tried(family, type, IPPROTO_IP, IP_TOS, &one, 1);
    }
  tried(AF_INET, SOCK_STREAM, IPPROTO_TCP, TCP_NODELAY, &one, 2);
  tried(AF_INET, SOCK_STREAM, IPPROTO_TCP, TCP_CONGESTION, "reno", 4);
  tried(AF_INET, SOCK_STREAM, IPPROTO_TCP, TCP_CONGESTION, "nonesuch", 8);
  say("layers %d\n", failure(setsockopt(socket(AF_INET, SOCK_STREAM, 0), IPPROTO_TCP, TCP_ULP, "nonesuch", 8)) == ENOENT);
  int plain[] = {SO_REUSEADDR, SO_SNDBUF, SO_RCVBUF, SO_KEEPALIVE, SO_RCVLOWAT, SO_TYPE, SO_PROTOCOL, SO_ERROR, SO_DOMAIN};
  for (int t = 0; t < 2; t++) {
    for (int i = 0; i < COUNT(plain); i++)
      if (types[t] == SOCK_DGRAM || (plain[i] != SO_SNDBUF && plain[i] != SO_RCVBUF)) initial(types[t], SOL_SOCKET, plain[i]);
    for (int i = 0; i < COUNT(of_ip); i++) initial(types[t], IPPROTO_IP, of_ip[i]);
    initial(types[t], IPPROTO_IP, IP_OPTIONS);
    initial(types[t], IPPROTO_IP, IP_MTU);
    for (int i = 0; i < COUNT(of_tcp); i++) initial(types[t], IPPROTO_TCP, of_tcp[i]);
  }
  struct ucred peer;
  socklen_t length = sizeof peer;
  getsockopt(socket(AF_INET, SOCK_STREAM, 0), SOL_SOCKET, SO_PEERCRED, &peer, &length);
  say("peer %d %d %d\n", peer.pid, peer.uid, peer.gid);
}
