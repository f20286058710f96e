/* corpus: uncounted */
/* Clocks, limits and identities answer; only what is the same everywhere is printed. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  struct timespec t, r;
  int ids[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME};
  for (int i = 0; i < 6; i++) {
    int got = clock_gettime(ids[i], &t);
    int resolved = clock_getres(ids[i], &r);
    printf("%d%d%d ", got, t.tv_nsec < 1000000000, resolved);
  }
  struct timeval v;
  struct rusage u;
  struct rlimit l;
  struct utsname n;
  int time_of_day = gettimeofday(&v, NULL), usage = getrusage(RUSAGE_SELF, &u), limit = getrlimit(RLIMIT_NOFILE, &l);
  printf("%d %d %d %d ", time_of_day, usage, limit, l.rlim_cur > 10);
  int named = uname(&n);
  printf("%d %c ", named, n.sysname[0]);
  printf("%d %d %d\n", clock() >= 0, nice(0) == getpriority(PRIO_PROCESS, 0), clock_gettime(99, &t) == -1 && errno == EINVAL);
  printf("%d %d %d %d\n", getpid() > 0, getppid() >= 0, getuid() == geteuid(), (int)getpagesize());
  printf("%d %d %ld\n", PATH_MAX, sysconf(_SC_NPROCESSORS_ONLN) > 0, sysconf(_SC_CLK_TCK));
}
