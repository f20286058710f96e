/* What scheduling, limits, prctl, memory, futexes, sockets and execve refuse, and by which error. */
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
  char buf[200]; struct sched_param sp = {0}; cpu_set_t cs; struct rlimit rl; struct timespec ts;
  T(getrandom(buf, 10, 99));
  T(getrandom(buf, 10, GRND_RANDOM|GRND_INSECURE));
  T(getrandom(B, 10, 0));
  T(getrandom(B, 0, 0));
  T(getrandom(buf, 10, GRND_NONBLOCK));
  T(sched_setscheduler(0, 99, &sp));
  T(sched_setscheduler(0, SCHED_OTHER, &sp)); sp.sched_priority = 1;
  T(sched_setscheduler(0, SCHED_OTHER, &sp));
  T(sched_setscheduler(0, SCHED_BATCH, B));
  T(sched_getscheduler(999999));
  T(sched_getscheduler(-1));
  T(sched_getscheduler(0));
  T(sched_getparam(0, B));
  T(sched_getparam(-1, &sp));
  T(sched_getparam(0, NULL));
  T(sched_get_priority_max(99));
  T(sched_get_priority_max(SCHED_FIFO));
  T(sched_get_priority_min(SCHED_OTHER));
  T(sched_rr_get_interval(-1, &ts));
  T(sched_rr_get_interval(0, B));
  T(syscall(SYS_sched_getaffinity, 0, 4, &cs));
  T(syscall(SYS_sched_getaffinity, 999999, 128, &cs));
  T(syscall(SYS_sched_setaffinity, 0, 0, &cs));
  T(syscall(SYS_sched_setaffinity, 0, 8, B)); CPU_ZERO(&cs);
  T(sched_setaffinity(0, sizeof cs, &cs));
  T(syscall(SYS_sched_getattr, 0, buf, 4, 0));
  T(syscall(SYS_sched_getattr, 0, buf, 48, 1));
  T(syscall(SYS_sched_getattr, 0, buf, 5000, 0));
  T(syscall(SYS_sched_setattr, 0, B, 0));
  T(sched_yield());
  T(getpriority(9, 0));
  T(getpriority(PRIO_PROCESS, 999999));
  T(setpriority(PRIO_PROCESS, 999999, 0));
  T(setpriority(9, 0, 0));
  T(getpriority(PRIO_PROCESS, 0));
  T(setpriority(PRIO_PROCESS, 0, 5));
  T(getpriority(PRIO_PROCESS, 0));
  T(syscall(SYS_ioprio_get, 9, 0));
  T(syscall(SYS_membarrier, 99999, 0, 0));
  T(syscall(SYS_membarrier, 0, 1, 0));
  T(syscall(SYS_membarrier, 8, 0, 0));
  T(syscall(SYS_membarrier, 16, 0, 0));
  T(syscall(SYS_membarrier, 8, 0, 0));
  T(getrlimit(99, &rl));
  T(getrlimit(0, B)); rl.rlim_cur = 10; rl.rlim_max = 5;
  T(setrlimit(RLIMIT_CORE, &rl));
  T(prlimit(999999, 0, 0, 0));
  T(getrusage(9, buf));
  T(getrusage(0, B));
  T(syscall(SYS_times, B));
  T(uname(B));
  T(syscall(SYS_sysinfo, B));
  T(syscall(SYS_getcpu, B, 0, 0));
  T(getpgid(999999));
  T(getpgid(-1));
  T(getsid(999999));
  T(setpgid(-1, 0));
  T(setpgid(0, -1));
  T(setpgid(999999, 0));
  T(syscall(SYS_getgroups, -1, 0));
  T(prctl(9999));
  T(prctl(PR_SET_PDEATHSIG, 99));
  T(prctl(PR_GET_PDEATHSIG, B));
  T(prctl(PR_SET_NAME, B));
  T(prctl(PR_GET_NAME, B));
  T(prctl(PR_SET_DUMPABLE, 5));
  T(prctl(PR_CAPBSET_READ, 999));
  T(prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0));
  T(prctl(PR_SET_NO_NEW_PRIVS, 1, 1, 0, 0));
  T(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
  T(prctl(PR_GET_SECCOMP));
  T(prctl(PR_SET_SECCOMP, 9, 0));
  T(prctl(PR_GET_CHILD_SUBREAPER, B));
  T(prctl(PR_SET_TIMERSLACK, 0));
  T(prctl(PR_GET_KEEPCAPS));
  T(prctl(PR_SET_KEEPCAPS, 2));
  T(prctl(PR_GET_TIMERSLACK));
  T(prctl(PR_SET_THP_DISABLE, 1, 1, 0, 0));
  T(prctl(PR_SET_VMA, 0, B, 4096, "x"));
  T(prctl(PR_MCE_KILL, 9));
  T(personality(0xffffffff));
  void *m; long pg = 4096;
  T(mmap(0, 0, 3, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0));
  T(mmap(0, pg, 3, 0, -1, 0));
  T(mmap(0, pg, 3, MAP_PRIVATE, 99, 0));
  T(mmap(0, pg, 3, MAP_PRIVATE|MAP_ANONYMOUS, -1, 5));
  T(mmap((void*)5, pg, 3, MAP_PRIVATE|MAP_ANONYMOUS|MAP_FIXED, -1, 0));
  T(mmap(0, -1, 3, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0)); int p[2]; pipe(p);
  T(mmap(0, pg, 3, MAP_PRIVATE, p[0], 0)); int f = open("f", O_RDONLY|O_CREAT, 0600);
  T(mmap(0, pg, 3, MAP_SHARED, f, 0)); int w = open("f", O_WRONLY);
  T(mmap(0, pg, 1, MAP_PRIVATE, w, 0));
  T(mmap(0, pg, 3, MAP_SHARED_VALIDATE|0x8000000, w, 0)); m = mmap(0, 4*pg, 3, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0);
  T(mmap(m, pg, 3, MAP_PRIVATE|MAP_ANONYMOUS|MAP_FIXED_NOREPLACE, -1, 0));
  T(munmap(m+1, pg));
  T(munmap(m, 0));
  T(munmap((void*)-4096, pg));
  T(mprotect(m+1, pg, 1));
  T(mprotect(m, pg, 99));
  T(mprotect((void*)pg, pg, 1));
  T(mprotect(m, 0, 1));
  T(madvise(m, pg, 99));
  T(madvise(m+1, pg, 0));
  T(madvise((void*)pg, pg, 0));
  T(madvise(m, 0, 0));
  T(madvise(m, pg, MADV_DONTNEED));
  T(madvise(m, pg, MADV_FREE));
  T(madvise(m, pg, MADV_REMOVE));
  T(msync(m, pg, 99));
  T(msync(m+1, pg, MS_SYNC));
  T(msync((void*)pg, pg, MS_SYNC));
  T(msync(m, pg, MS_SYNC|MS_ASYNC));
  T(mincore(m+1, pg, buf));
  T(mincore(m, pg, B));
  T(mincore((void*)pg, pg, buf));
  T(mlock((void*)pg, pg));
  T(munlock(m, pg));
  T(mlockall(99));
  T(mlock2(m, pg, 9));
  T(mremap(m, pg, 0, 0));
  T(mremap(m+1, pg, pg, 0));
  T(mremap((void*)pg, pg, pg, 0));
  T(mremap(m, pg, pg, 99));
  T(mremap(m, pg, 5*pg, 0));
  T(mremap(m, 0, pg, MREMAP_MAYMOVE));
  T(mremap(m, pg, pg, MREMAP_FIXED, m));
  T(brk((void*)8));
  T(syscall(SYS_brk, 8) > 8);
  T(syscall(SYS_memfd_create, "x", 0x999));
  T(memfd_create(B, 0));
  T(syscall(SYS_arch_prctl, 0x9999, 0));
  T(syscall(SYS_arch_prctl, 0x1003, 8));
  T(syscall(SYS_set_robust_list, 0, 5));
  T(syscall(SYS_get_robust_list, 999999, buf, buf));
  T(syscall(SYS_futex, B, 0, 0, 0));
  T(syscall(SYS_futex, buf+1, 0, 0, 0));  int word = 5;
  T(syscall(SYS_futex, &word, 0, 4, 0));
  T(syscall(SYS_futex, &word, 1, 1)); ts.tv_nsec = 2000000000; ts.tv_sec = 0;
  T(syscall(SYS_futex, &word, 0, 5, &ts));
  T(syscall(SYS_futex, &word, 9, 5, 0, 0, 0));
  T(syscall(SYS_futex, &word, 3, 1, 1, &word));
  T(syscall(SYS_futex, &word, 4, 1, 1, &word, 9));
  T(syscall(SYS_rseq, buf, 32, 0, 0));
  T(syscall(9999));  
  T(socket(99, 1, 0));
  T(socket(AF_UNIX, 99, 0));
  T(socket(AF_UNIX, SOCK_STREAM, 99)); int sv[2];
  T(socketpair(AF_UNIX, SOCK_STREAM, 0, B));
  T(socketpair(AF_INET, SOCK_STREAM, 0, sv));
  T(socketpair(AF_UNIX, SOCK_STREAM, 0, sv));
  T(bind(99, 0, 0));
  T(bind(f, 0, 0));
  T(listen(f, 1));
  T(accept(sv[0], 0, 0));
  T(connect(sv[0], B, 10));
  T(getsockopt(sv[0], 99, 1, buf, (socklen_t*)buf));
  T(shutdown(sv[0], 9));
  T(send(sv[0], "x", 1, 0));
  T(recv(sv[1], B, 1, 0));
  T(recv(sv[1], buf, 10, MSG_DONTWAIT));
  T(recv(sv[1], buf, 10, MSG_DONTWAIT));
  T(send(f, "x", 1, 0));
  T(sendmsg(sv[0], B, 0));
  T(recvmsg(sv[0], B, 0));
  T(getpeername(sv[0], B, B)); close(sv[1]);
  T(send(sv[0], "x", 1, MSG_NOSIGNAL)); 
  T(execve("nope", 0, 0));
  T(execve(".", 0, 0));
  T(execve("f", 0, 0)); chmod("f", 0700); char *av[] = {"f", 0};
  T(execve(B, av, 0));
  T(execve("f/x", av, 0));
  T(execve("/bin/true", B, 0)); int x = open("g", O_CREAT|O_WRONLY, 0700); write(x, "#!nope\n", 7); close(x);
  T(execve("g", av, 0));
  T(syscall(SYS_execveat, 99, "", av, 0, AT_EMPTY_PATH));
  T(syscall(SYS_clone, CLONE_SIGHAND, 0, 0, 0, 0));
  T(syscall(SYS_clone, CLONE_THREAD, 0, 0, 0, 0));
  T(syscall(SYS_clone3, B, 64));
  T(syscall(SYS_clone3, buf, 8));
  T(syscall(SYS_unshare, 0x99));
  T(syscall(SYS_seccomp, 9, 0, 0));
  T(syscall(SYS_seccomp, 2, 0, &word));
  static const int gone[] = {134, 136, 156, 174, 177, 178, 180, 181, 182, 183, 184, 185, 214, 215, 219, 236};
  for (int i = 0; i < sizeof gone / sizeof *gone; i++) { printf("%d: ", gone[i]); T(syscall(gone[i], 0, 0, 0, 0, 0)); }
  T(syscall(SYS_inotify_init1, -1));
  T(syscall(SYS_getxattr, "nope", "user.x", 0, 0));  
  return 0; }
