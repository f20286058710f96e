/* Message queues of POSIX: order, limits, waiting, being told, errors. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#define TRY(call) do { errno = 0; long r = (long)(call); int e = errno; printf("%s %ld %d\n", #call, r, e); } while (0)
static void told(int signal, siginfo_t *info, void *context) {
  printf("told %d %d %d value %d\n", signal, info->si_code, info->si_pid == getpid() || info->si_pid > 0, info->si_value.sival_int);
}
int main(void) {
  if (geteuid() == 0) setresuid(1000, 1000, 1000);
  char name[40], bytes[8192], other[40];
  unsigned priority;
  snprintf(name, 40, "/queue-%d", getpid());
  snprintf(other, 40, "/other-%d", getpid());
  struct mq_attr three = {0, 3, 16}, facts, wrong = {0, 11, 16}, none = {0, 0, 16}, large = {0, 3, 9000};
  struct timespec past = {0, 0}, bad = {0, -1}, soon;
  TRY(mq_open(name, O_RDWR));
  TRY(mq_open(name, O_RDWR | O_CREAT, 0600, &wrong));
  TRY(mq_open(name, O_RDWR | O_CREAT, 0600, &none));
  TRY(mq_open(name, O_RDWR | O_CREAT, 0600, &large));
  TRY(syscall(SYS_mq_open, "a/b", O_RDWR | O_CREAT, 0600, 0));
  TRY(syscall(SYS_mq_open, "", O_RDWR | O_CREAT, 0600, 0));
  TRY(mq_open("noslash", O_RDWR));
  mqd_t q = mq_open(name, O_RDWR | O_CREAT, 0640, &three);
  TRY(mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &three));
  mqd_t reader = mq_open(name, O_RDONLY | O_NONBLOCK), writer = mq_open(name, O_WRONLY | O_NONBLOCK);
  printf("flags %d\n", fcntl(q, F_GETFD));
  struct stat s;
  fstat(q, &s);
  printf("mode %o\n", s.st_mode);
  TRY(mq_send(q, "low", 3, 1));
  TRY(mq_send(q, "high", 5, 9));
  TRY(mq_send(q, "low too", 8, 1));
  mq_getattr(writer, &facts);
  printf("%ld %ld %ld %ld\n", facts.mq_flags, facts.mq_maxmsg, facts.mq_msgsize, facts.mq_curmsgs);
  TRY(mq_send(writer, "full", 4, 1));
  TRY(mq_timedsend(q, "full", 4, 1, &past));
  TRY(mq_timedsend(q, "full", 4, 1, &bad));
  TRY(mq_send(q, bytes, 17, 1));
  TRY(mq_send(q, bytes, 1, 32768));
  TRY(mq_send(reader, bytes, 1, 1));
  TRY(mq_receive(writer, bytes, 16, 0));
  TRY(mq_receive(q, bytes, 15, 0));
  TRY(syscall(SYS_mq_timedsend, q, 8, 1, 1, 0));
  TRY(mq_send(0, bytes, 1, 1));
  TRY(mq_send(99, bytes, 1, 1));
  struct pollfd p[] = {{reader, POLLIN | POLLOUT}, {writer, POLLIN | POLLOUT}, {q, POLLIN | POLLOUT}};
  printf("poll %d %x %x %x\n", poll(p, 3, 0), p[0].revents, p[1].revents, p[2].revents);
  for (int i = 0; i < 3; i++) {
    ssize_t n = mq_receive(reader, bytes, 8192, &priority);
    printf("%zd %.*s %u\n", n, (int)n, bytes, priority);
  }
  TRY(mq_receive(reader, bytes, 8192, 0));
  printf("poll %d %x %x %x\n", poll(p, 3, 0), p[0].revents, p[1].revents, p[2].revents);
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_nsec += 20000000;
  if (soon.tv_nsec > 999999999) { soon.tv_sec++; soon.tv_nsec -= 1000000000; }
  TRY(mq_timedreceive(q, bytes, 8192, 0, &soon));
  struct sigaction action = {.sa_sigaction = told, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, 0);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 42};
  TRY(mq_notify(q, &event));
  TRY(mq_notify(reader, &event));
  TRY(mq_send(q, "a", 1, 0));
  TRY(mq_send(q, "b", 1, 0));
  TRY(mq_notify(reader, &event));
  TRY(mq_notify(reader, 0));
  event.sigev_signo = 99;
  TRY(mq_notify(q, &event));
  event.sigev_notify = 77;
  TRY(mq_notify(q, &event));
  TRY(mq_receive(q, bytes, 8192, 0));
  TRY(mq_receive(q, bytes, 8192, 0));
  struct mq_attr nonblocking = {O_NONBLOCK}, unknown = {7};
  TRY(mq_setattr(q, &unknown, 0));
  TRY(mq_setattr(q, &nonblocking, &facts));
  TRY(mq_receive(q, bytes, 8192, 0));
  nonblocking.mq_flags = 0;
  TRY(mq_setattr(q, &nonblocking, 0));
  TRY(mq_unlink(name));
  TRY(mq_unlink(name));
  char names[300];
  memset(names, 'x', sizeof names);
  names[0] = '/';
  names[257] = 0;
  errno = 0;
  printf("too long %d", mq_unlink(names));
  printf(" %d\n", errno);
  names[256] = 0;
  printf("long %d", mq_unlink(names));
  printf(" %d\n", errno);
  printf("path %d", mq_unlink("/a/b"));
  printf(" %d\n", errno);
  printf("nothing %d", mq_unlink("/"));
  printf(" %d\n", errno);
  TRY(mq_open(name, O_RDWR));
  // A child that answers through the queue that has no name any more.
  mqd_t back = mq_open(other, O_RDWR | O_CREAT, 0600, &three);
  mq_unlink(other);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 5; i++) {
      ssize_t n = mq_receive(q, bytes, 8192, &priority);
      for (int at = 0; at < n; at++) bytes[at] ^= 32;
      mq_send(back, bytes, n, priority + 1);
    }
    _exit(0);
  }
  for (int i = 0; i < 5; i++) {
    snprintf(bytes, 16, "Message %d", i);
    mq_send(q, bytes, 9, i);
    ssize_t n = mq_receive(back, bytes, 8192, &priority);
    printf("%.*s %u\n", (int)n, bytes, priority);
  }
  wait(0);
  TRY(mq_close(q));
  TRY(mq_close(q));
  return 0;
}
