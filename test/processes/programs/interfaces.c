/* What sockets tell of the interface that leads back to the machine. Others there may be on this one are passed over. */
#include "common.h"
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
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

static void addresses(void) {
  struct ifaddrs *all, *at;
  say("getifaddrs: %d\n", getifaddrs(&all));
  for (at = all; at != NULL; at = at->ifa_next) {
    if (strcmp(at->ifa_name, "lo") || at->ifa_addr == NULL || at->ifa_addr->sa_family != AF_INET) continue;
    say("%s %x", at->ifa_name, at->ifa_flags & (IFF_UP | IFF_LOOPBACK | IFF_RUNNING | IFF_BROADCAST));
    say(" %s", inet_ntoa(((struct sockaddr_in *)at->ifa_addr)->sin_addr));
    say(" %s\n", inet_ntoa(((struct sockaddr_in *)at->ifa_netmask)->sin_addr));
  }
  freeifaddrs(all);
  struct if_nameindex *names = if_nameindex();
  for (int i = 0; names[i].if_index != 0; i++)
    if (!strcmp(names[i].if_name, "lo")) say("index %d\n", names[i].if_index);
  if_freenameindex(names);
}

/* Questions to the kernel as they are, and its answers. */
static void netlink(void) {
  struct {
    struct nlmsghdr header;
    struct ifinfomsg body;
  } asked = {{sizeof asked, RTM_GETLINK, NLM_F_REQUEST, 77, 0}, {.ifi_index = 1}};
  struct sockaddr_nl own = {.nl_family = AF_NETLINK}, from = own;
  socklen_t length = sizeof own;
  static _Alignas(8) char room[8192];
  struct nlmsghdr *answer = (struct nlmsghdr *)room;
  const int s = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  say("bind: %d", failure(bind(s, (struct sockaddr *)&own, sizeof own)));
  getsockname(s, (struct sockaddr *)&own, &length);
  say(", own port: %d, %d\n", own.nl_pid == getpid(), length);
  for (int i = 0; i < 2; i++) {
    asked.body.ifi_index = i == 0 ? 1 : 54321;
    say("sent %d\n", (int)send(s, &asked, sizeof asked, 0));
    struct iovec none = {NULL, 0}, some = {room, sizeof room};
    struct msghdr message = {.msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &none, .msg_iovlen = 1};
    const int whole = recvmsg(s, &message, MSG_PEEK | MSG_TRUNC);
    message.msg_iov = &some;
    const int got = recvmsg(s, &message, 0);
    say("whole: %d, type %d, sequence %d, port %d, from %d", whole == got && got == answer->nlmsg_len, answer->nlmsg_type,
        answer->nlmsg_seq, answer->nlmsg_pid == own.nl_pid, from.nl_pid);
    if (answer->nlmsg_type == NLMSG_ERROR) say(", %s\n", strerror(-((struct nlmsgerr *)NLMSG_DATA(answer))->error));
    else say(", index %d\n", ((struct ifinfomsg *)NLMSG_DATA(answer))->ifi_index);
  }
  int domain = 0, size = sizeof domain;
  getsockopt(s, SOL_SOCKET, SO_DOMAIN, &domain, &size);
  say("domain %d\n", domain);
  /* Nobody listens: what there is no room for is lost. */
  for (int i = 0; i < 3000; i++) send(s, &asked, sizeof asked, 0);
  say("flooded: %s\n", strerror(failure(recv(s, room, sizeof room, MSG_DONTWAIT))));
  while (recv(s, room, sizeof room, MSG_DONTWAIT) > 0) {}
  say("no more: %s\n", strerror(failure(recv(s, room, sizeof room, MSG_DONTWAIT))));
  say("other protocols: %d\n", socket(AF_NETLINK, SOCK_RAW, 31) < 0);
  say("streams: %s\n", strerror(failure(socket(AF_NETLINK, SOCK_STREAM, NETLINK_ROUTE))));
  close(s);
}

int main(void) {
  addresses();
  netlink();
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
    int failed = failure(ioctl(s, SIOCGIFCONF, &list));
    say("list: %d\n", failed);
    for (const struct ifreq *at = list.ifc_req; (const char *)(at + 1) <= room + list.ifc_len; at++)
      if (!strcmp(at->ifr_name, "lo")) say("lo has %s\n", host(*at));
    list = (struct ifconf){.ifc_len = 0, .ifc_buf = NULL};
    failed = failure(ioctl(s, SIOCGIFCONF, &list));
    say("length: %d %d\n", failed, list.ifc_len >= (int)sizeof(struct ifreq));
    list = (struct ifconf){.ifc_len = 10, .ifc_buf = room};
    failed = failure(ioctl(s, SIOCGIFCONF, &list));
    say("no room: %d %d\n", failed, list.ifc_len);
    say("bad place: %s\n", strerror(failure(ioctl(s, SIOCGIFADDR, 8))));
    close(s);
  }
  char name[IF_NAMESIZE];
  say("number %d, name %s\n", if_nametoindex("lo"), if_indextoname(1, name));
  const int none = if_nametoindex("none0");
  say("no number: %d %s\n", none, strerror(errno));
  say("no name: %d\n", if_indextoname(54321, name) == NULL);
  int pipes[2];
  pipe(pipes);
  ask(pipes[0], "lo", SIOCGIFADDR);
  return 0;
}
