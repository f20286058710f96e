/* corpus: uncounted */
/* Pairs of connected sockets within the process; what the network refuses is not printed. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
  int s[2];
  printf("%d ", socketpair(AF_UNIX, SOCK_STREAM, 0, s));
  char text[32] = {0};
  printf("%zd ", write(s[0], "through the pair", 16));
  printf("%zd ", read(s[1], text, 7));
  printf("%zd ", recv(s[1], text + 7, 20, 0));
  printf("%s ", text);
  shutdown(s[0], SHUT_WR);
  printf("%zd\n", read(s[1], text, 1));
}
