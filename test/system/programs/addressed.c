/* Sending to an address through sockets that are connected, and through ones that are not. */
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define TRY(call) do { errno = 0; long result = (call); printf("%s = %ld %d\n", #call, result, errno); } while (0)

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  struct sockaddr_un name = {AF_UNIX, "nowhere"};
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  struct sockaddr *to = (struct sockaddr *)&name, *at = (struct sockaddr *)&address;
  int pair[2];
  char bytes[10];
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  TRY(sendto(pair[0], "abc", 3, 0, to, sizeof name));
  socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair);
  TRY(sendto(pair[0], "abc", 3, 0, to, sizeof name));
  TRY(recv(pair[1], bytes, 10, 0));
  socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
  TRY(sendto(pair[0], "abc", 3, 0, to, sizeof name));
  int alone = socket(AF_UNIX, SOCK_STREAM, 0);
  TRY(sendto(alone, "abc", 3, 0, to, sizeof name));
  alone = socket(AF_UNIX, SOCK_SEQPACKET, 0);
  TRY(sendto(alone, "abc", 3, 0, to, sizeof name));

  int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
  socklen_t length = sizeof address;
  bind(server, at, length);
  listen(server, 1);
  getsockname(server, at, &length);
  TRY(sendto(client, "abc", 3, 0, at, length));
  connect(client, at, length);
  address.sin_port = htons(9);
  TRY(sendto(client, "abc", 3, 0, at, length));
  struct iovec part = {"de", 2};
  struct msghdr message = {.msg_name = at, .msg_namelen = length, .msg_iov = &part, .msg_iovlen = 1};
  TRY(sendmsg(client, &message, 0));
  int accepted = accept(server, NULL, NULL);
  TRY(recv(accepted, bytes, 5, MSG_WAITALL));
  return 0;
}
