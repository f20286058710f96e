/* corpus: uncounted */
/* Calendar arithmetic: gmtime, timegm, mktime in UTC, strftime, strptime, difftime. Guests have no /etc/localtime, which the processor's reads. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(void) {
  time_t times[] = {0, 86399, 951782400, 1000000000, 1709164800, 2147483647, 4102444800, -1, -2208988800};
  for (int i = 0; i < 9; i++) {
    struct tm t;
    char text[200];
    gmtime_r(&times[i], &t);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %j %a %A %b %U %W %V %G %u %w %y %C %e %I %p %D %F %T %R %s %%", &t);
    printf("%s %ld\n", text, (long)timegm(&t));
    t.tm_mday += 45, t.tm_hour -= 100, t.tm_mon += 14;
    printf("%ld %d %d ", (long)mktime(&t), t.tm_wday, t.tm_yday);
    printf("%s", asctime(&t));
  }
  struct tm parsed = {0};
  char *rest = strptime("2024-02-29 13:45:10 Thu tail", "%Y-%m-%d %T %a", &parsed);
  printf("%ld [%s] %d\n", (long)timegm(&parsed), rest, parsed.tm_wday);
  printf("%g %s", difftime(100, 30), ctime(&(time_t){1234567890}));
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  for (volatile int i = 0; i < 10000; i++) {}
  clock_gettime(CLOCK_MONOTONIC, &b);
  printf("%d %d\n", b.tv_sec > a.tv_sec || b.tv_nsec >= a.tv_nsec, time(NULL) > 1000000);
}
