/* What does not wait: pipes that are opened again, descriptors on their way to nobody yet, limits of patience, and what is ignored. */
#include "common.h"
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

static void reopened(void) {
  int ends[2];
  char path[30], bytes[9];
  pipe(ends);
  write(ends[1], "hi", 2);
  close(ends[1]);
  sprintf(path, "/dev/fd/%d", ends[0]);
  int again = open(path, O_RDONLY);
  printf("reopened: %d", again >= 0);
  printf(" %zd", read(again, bytes, 9));
  printf(" %zd\n", read(again, bytes, 9));
  pipe(ends);
  close(ends[0]);
  sprintf(path, "/proc/self/fd/%d", ends[1]);
  printf("for writing: %d\n", open(path, O_WRONLY) >= 0);
}

static void unaccepted(void) {
  struct sockaddr_un name = {AF_UNIX, "unaccepted"};
  int ends[2], listening = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0);
  char byte = 'x', control[CMSG_SPACE(4)] = {0}, bytes[9];
  struct iovec vector = {&byte, 1};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  bind(listening, (void *)&name, sizeof name);
  listen(listening, 5);
  connect(client, (void *)&name, sizeof name);
  pipe(ends);
  *header = (struct cmsghdr){CMSG_LEN(4), SOL_SOCKET, SCM_RIGHTS};
  memcpy(CMSG_DATA(header), ends, 4);
  printf("sent: %zd", sendmsg(client, &message, 0));
  close(client);
  close(ends[0]);
  printf(", written: %zd", write(ends[1], "hi", 2));
  int server = accept(listening, 0, 0), received = -1;
  printf(", taken: %zd", recvmsg(server, &message, 0));
  memcpy(&received, CMSG_DATA(header), 4);
  printf(", read: %zd\n", read(received, bytes, 9));
  struct timeval patience = {0, 10000};
  setsockopt(listening, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  int none = accept(listening, 0, 0);
  printf("nobody: %d %d\n", none, errno == EAGAIN);
  unlink("unaccepted");
}

static void handler(int signal) {}

static void all(void) {
  int ends[2];
  char bytes[20] = "";
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  send(ends[1], "hello", 5, 0);
  if (fork() == 0) {
    usleep(20000);
    write(ends[1], "world", 5);
    usleep(20000);
    write(ends[1], "!", 1);
    _exit(0);
  }
  printf("all: %zd", recv(ends[0], bytes, 11, MSG_WAITALL));
  printf(" %s\n", bytes);
  wait(0);
  printf("at once: %zd\n", recv(ends[0], bytes, 5, MSG_WAITALL | MSG_DONTWAIT));
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGALRM, &action, 0);
  write(ends[1], "some", 4);
  memset(bytes, 0, sizeof bytes);
  ualarm(20000, 0);
  printf("interrupted: %zd", recv(ends[0], bytes, 11, MSG_WAITALL));
  printf(" %s\n", bytes);
  write(ends[1], "last", 4);
  shutdown(ends[1], SHUT_WR);
  printf("to the end: %zd\n", recv(ends[0], bytes, 11, MSG_WAITALL));
}

static void ignored(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, 0);
  raise(SIGUSR1);
  raise(SIGCHLD);
  signal(SIGUSR1, SIG_IGN);
  signal(SIGUSR1, SIG_DFL);
  signal(SIGCHLD, SIG_DFL);
  sigpending(&set);
  printf("pending: %d %d\n", sigismember(&set, SIGUSR1), sigismember(&set, SIGCHLD));
}

int main(void) {
  reopened();
  unaccepted();
  all();
  ignored();
}
