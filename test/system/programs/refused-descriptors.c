/* What counters, timers, signals, watches, epoll, processes and waiting refuse, and by which error. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <signal.h>
#include <poll.h>
#include <sched.h>
#include <time.h>
#include <sys/syscall.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/mman.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/socket.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/ioctl.h>
#include <sys/statfs.h>
#include <sys/utsname.h>
#include <sys/file.h>
#define T(call) do { errno = 0; long r_ = (long)(call); int e_ = errno; printf("%s = %ld %s\n", #call, r_, e_ ? strerrorname_np(e_) : "-"); } while (0)
#define B ((void*)8)
int main(void) { setvbuf(stdout, 0, _IOLBF, 0);
  char buf[200]; int e, i, s, t, p, k; struct epoll_event ev = {EPOLLIN, {0}}, evs[4]; struct itimerspec it = {{0,0},{0,0}}; sigset_t set;
  T(e = eventfd(0, 99));
  T(e = eventfd(3, EFD_NONBLOCK));
  T(read(e, buf, 7));
  T(read(e, buf, 100));
  T(read(e, buf, 8)); unsigned long long v = -1;
  T(write(e, &v, 8)); v = -2;
  T(write(e, &v, 8)); v = 1;
  T(write(e, &v, 8));
  T(write(e, &v, 4));
  T(write(e, B, 8));
  T(lseek(e, 0, 0));
  T(ftruncate(e, 0));
  T(pread(e, buf, 8, 0));
  T(t = timerfd_create(99, 0));
  T(timerfd_create(CLOCK_MONOTONIC, 99));
  T(t = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK));
  T(read(t, buf, 8));
  T(read(t, buf, 4));
  T(write(t, buf, 8)); it.it_value.tv_nsec = 1000000000;
  T(timerfd_settime(t, 0, &it, NULL)); it.it_value.tv_nsec = 1000000; it.it_interval.tv_nsec = 1000;
  T(timerfd_settime(t, 99, &it, NULL));
  T(timerfd_settime(e, 0, &it, NULL));
  T(timerfd_settime(t, 0, B, NULL));
  T(timerfd_settime(99, 0, &it, NULL));
  T(timerfd_gettime(t, B));
  T(timerfd_gettime(0, &it)); 
  sigemptyset(&set); sigaddset(&set, SIGUSR1); sigaddset(&set, SIGKILL);
  T(signalfd(-1, &set, 99));
  T(s = signalfd(-1, &set, SFD_NONBLOCK));
  T(signalfd(e, &set, 0));
  T(signalfd(99, &set, 0));
  T(syscall(SYS_signalfd4, -1, &set, 4, 0));
  T(syscall(SYS_signalfd4, -1, B, 8, 0));
  T(read(s, buf, 128));
  T(read(s, buf, 100));
  T(write(s, buf, 10)); sigprocmask(SIG_BLOCK, &set, 0); raise(SIGUSR1);
  T(read(s, buf, 200)); printf("%d\n", buf[0]);
  T(i = inotify_init1(99));
  T(i = inotify_init1(IN_NONBLOCK));
  T(inotify_add_watch(i, "nope", IN_ALL_EVENTS));
  T(inotify_add_watch(i, ".", 0));
  T(inotify_add_watch(i, ".", IN_CREATE|IN_MASK_ADD|IN_MASK_CREATE));
  T(inotify_add_watch(i, ".", IN_CREATE));
  T(inotify_add_watch(i, ".", IN_CREATE|IN_MASK_CREATE));
  T(inotify_add_watch(e, ".", IN_CREATE));
  T(inotify_add_watch(99, ".", IN_CREATE));
  T(inotify_rm_watch(i, 99));
  T(inotify_rm_watch(e, 1));
  T(read(i, buf, 200)); close(open("x", O_CREAT, 0600));
  T(read(i, buf, 16));
  T(read(i, buf, 31));
  T(read(i, buf, 200));
  T(write(i, buf, 1));
  T(inotify_add_watch(i, "x", IN_ONLYDIR|IN_CREATE));
  T(epoll_create(0));
  T(epoll_create1(99));
  T(p = epoll_create1(0));
  T(epoll_ctl(p, EPOLL_CTL_ADD, e, &ev));
  T(epoll_ctl(p, EPOLL_CTL_ADD, e, &ev));
  T(epoll_ctl(p, EPOLL_CTL_MOD, t, &ev));
  T(epoll_ctl(p, EPOLL_CTL_DEL, t, NULL));
  T(epoll_ctl(p, 9, e, &ev));
  T(epoll_ctl(p, EPOLL_CTL_ADD, p, &ev));
  T(epoll_ctl(p, EPOLL_CTL_ADD, 99, &ev));
  T(epoll_ctl(99, EPOLL_CTL_ADD, e, &ev));
  T(epoll_ctl(e, EPOLL_CTL_ADD, t, &ev));
  T(epoll_ctl(p, EPOLL_CTL_ADD, t, B)); k = open("x", O_RDONLY);
  T(epoll_ctl(p, EPOLL_CTL_ADD, k, &ev));
  T(epoll_wait(p, evs, 0, 0));
  T(epoll_wait(p, evs, -1, 0));
  T(epoll_wait(p, B, 4, 0));
  T(epoll_wait(e, evs, 4, 0));
  T(epoll_wait(99, evs, 4, 0));
  T(epoll_wait(p, evs, 4, 0));
  T(read(p, buf, 10));
  T(write(p, buf, 10));
  T(syscall(SYS_epoll_pwait, p, evs, 4, 0, &set, 4));
  T(syscall(SYS_epoll_pwait2, p, evs, 4, B, 0, 8));
  pid_t c = fork(); if (c == 0) pause(); int pf;
  T(syscall(SYS_pidfd_open, c, 99));
  T((pf = syscall(SYS_pidfd_open, c, 0)) > 0);
  T(syscall(SYS_pidfd_open, 0, 0));
  T(syscall(SYS_pidfd_open, -1, 0));
  T(syscall(SYS_pidfd_open, 999999, 0));
  T(syscall(SYS_pidfd_send_signal, pf, 0, NULL, 0));
  T(syscall(SYS_pidfd_send_signal, pf, 99, NULL, 0));
  T(syscall(SYS_pidfd_send_signal, e, 9, NULL, 0));
  T(syscall(SYS_pidfd_getfd, pf, 99, 0));
  T(syscall(SYS_pidfd_getfd, pf, 0, 1));
  T(read(pf, buf, 10)); siginfo_t si;
  T(syscall(SYS_pidfd_send_signal, pf, 9, NULL, 0));
  T(waitid(P_PIDFD, pf, &si, WEXITED)); printf("%d %d\n", si.si_code, si.si_status);
  T(waitid(P_PIDFD, pf, &si, WEXITED));
  T(waitid(P_PIDFD, e, &si, WEXITED));
  T(waitid(P_PID, 1, &si, WEXITED));
  T(waitid(P_ALL, 0, &si, 0));
  T(waitid(9, 0, &si, WEXITED));
  T(wait4(-1, 0, 99, 0));
  T(waitpid(-1, 0, 0));
  T(kill(999999, 0));
  T(kill(getpid(), 99));
  T(kill(getpid(), 0));
  T(tgkill(getpid(), -1, 0));
  T(syscall(SYS_tkill, 999999, 0));
  T(syscall(SYS_tgkill, 999999, getpid(), 0));
  T(syscall(SYS_rt_sigaction, 9, 0, 0, 8)); struct sigaction sa = {0};
  T(sigaction(SIGKILL, &sa, 0));
  T(syscall(SYS_rt_sigaction, 65, 0, 0, 8));
  T(syscall(SYS_rt_sigaction, 1, 0, 0, 4));
  T(syscall(SYS_rt_sigaction, 1, B, 0, 8));
  T(syscall(SYS_rt_sigprocmask, 9, &set, 0, 8));
  T(syscall(SYS_rt_sigprocmask, 9, 0, 0, 8));
  T(syscall(SYS_rt_sigprocmask, 0, B, 0, 8));
  T(syscall(SYS_rt_sigtimedwait, &set, 0, B, 8)); struct timespec z = {0, 0}, neg = {-1, 0}, big = {0, 2000000000};
  T(syscall(SYS_rt_sigtimedwait, &set, 0, &z, 8));
  T(syscall(SYS_rt_sigtimedwait, &set, 0, &big, 8));
  T(syscall(SYS_rt_sigpending, buf, 16));
  T(syscall(SYS_sigaltstack, B, 0)); stack_t ss = {buf, 0, 100};
  T(sigaltstack(&ss, 0)); ss.ss_flags = 9;
  T(sigaltstack(&ss, 0));
  T(nanosleep(&neg, 0));
  T(nanosleep(&big, 0));
  T(nanosleep((void*)B, 0));
  T(nanosleep(&z, 0));
  T(syscall(SYS_clock_nanosleep, 99, 0, &z, 0));
  T(syscall(SYS_clock_nanosleep, CLOCK_THREAD_CPUTIME_ID, 0, &z, 0));
  T(clock_gettime(99, &z));
  T(clock_getres(99, &z));
  T(clock_settime(CLOCK_MONOTONIC, &z));
  T(syscall(SYS_gettimeofday, B, 0)); struct itimerval iv = {{0, 2000000}, {0, 2000000}};
  T(setitimer(0, &iv, 0));
  T(setitimer(9, 0, 0));
  T(getitimer(9, &iv));
  T(getitimer(0, B)); timer_t tm;
  T(syscall(SYS_timer_create, 99, 0, &tm)); struct sigevent se = {0}; se.sigev_notify = 99;
  T(syscall(SYS_timer_create, 0, &se, &tm)); se.sigev_notify = SIGEV_SIGNAL; se.sigev_signo = 99;
  T(syscall(SYS_timer_create, 0, &se, &tm));
  T(syscall(SYS_timer_settime, 99, 0, &it, 0));
  T(syscall(SYS_timer_delete, 99));
  T(syscall(SYS_timer_getoverrun, 99));
  T(syscall(SYS_alarm, 0));
  T(poll(B, 1, 0));
  T(poll(0, 0, 0));
  T(poll(0, 100000, 0));
  T(select(-1, 0, 0, 0, 0)); struct timeval tv = {0, -1};
  T(select(0, 0, 0, 0, &tv)); tv.tv_usec = 0; fd_set r; FD_ZERO(&r); FD_SET(63, &r);
  // Hardware looks at as many as its table has room for: at 64, or at more where a parent had more of them open.
  T(select(64, &r, 0, 0, &tv));
  T(syscall(SYS_ppoll, 0, 0, &z, &set, 4));
  T(syscall(SYS_ppoll, 0, 0, &big, 0, 8));
  return 0; }
