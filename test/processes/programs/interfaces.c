/* What sockets tell of the interface that leads back to the machine. Others there may be on this one are passed over. */
#include "common.h"
#include <arpa/inet.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static struct ifreq ask(int socket, const char *name, unsigned long request) {
  struct ifreq asked;
  memset(&asked, 0xff, sizeof asked);
  strncpy(asked.ifr_name, name, IFNAMSIZ);
  const int failed = failure(ioctl(socket, request, &asked));
  if (failed) say("%s, %lx: %s\n", name, request, strerror(failed));
  return asked;
}

static const char *host(struct ifreq asked) {
  return inet_ntoa(((const struct sockaddr_in *)&asked.ifr_addr)->sin_addr);
}

int main(void) {
  const int kinds[][2] = {{AF_INET, SOCK_DGRAM}, {AF_INET, SOCK_STREAM}, {AF_UNIX, SOCK_DGRAM}};
  for (int i = 0; i < 3; i++) {
    const int s = socket(kinds[i][0], kinds[i][1], 0);
    say("address %s\n", host(ask(s, "lo", SIOCGIFADDR)));
    say("mask %s\n", host(ask(s, "lo", SIOCGIFNETMASK)));
    say("flags %x\n", ask(s, "lo", SIOCGIFFLAGS).ifr_flags & (IFF_UP | IFF_LOOPBACK | IFF_RUNNING | IFF_BROADCAST));
    say("metric %d, mtu %d, queue %d\n", ask(s, "lo", SIOCGIFMETRIC).ifr_metric, ask(s, "lo", SIOCGIFMTU).ifr_mtu,
        ask(s, "lo", SIOCGIFTXQLEN).ifr_qlen);
    say("hardware %d\n", ask(s, "lo", SIOCGIFHWADDR).ifr_hwaddr.sa_family == ARPHRD_LOOPBACK);
    ask(s, "none0", SIOCGIFADDR);
    ask(s, "none0", SIOCGIFINDEX);

    char room[4096];
    struct ifconf list = {.ifc_len = sizeof room, .ifc_buf = room};
    say("list: %d\n", failure(ioctl(s, SIOCGIFCONF, &list)));
    for (const struct ifreq *at = list.ifc_req; (const char *)(at + 1) <= room + list.ifc_len; at++)
      if (!strcmp(at->ifr_name, "lo")) say("lo has %s\n", host(*at));
    list = (struct ifconf){.ifc_len = 0, .ifc_buf = NULL};
    say("length: %d %d\n", failure(ioctl(s, SIOCGIFCONF, &list)), list.ifc_len >= (int)sizeof(struct ifreq));
    list = (struct ifconf){.ifc_len = 10, .ifc_buf = room};
    say("no room: %d %d\n", failure(ioctl(s, SIOCGIFCONF, &list)), list.ifc_len);
    say("bad place: %s\n", strerror(failure(ioctl(s, SIOCGIFADDR, 8))));
    close(s);
  }
  char name[IF_NAMESIZE];
  say("number %d, name %s\n", if_nametoindex("lo"), if_indextoname(1, name));
  say("no number: %d %s\n", if_nametoindex("none0"), strerror(errno));
  say("no name: %d\n", if_indextoname(54321, name) == NULL);
  int pipes[2];
  pipe(pipes);
  ask(pipes[0], "lo", SIOCGIFADDR);
  return 0;
}
