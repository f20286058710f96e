/* strtol and relatives: bases, signs, spaces, ends, overflow and errno. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const char *texts[] = {"0", "  42xyz", "-17", "+8", "0x1fG", "0777", "0b11", "9223372036854775807", "9223372036854775808",
                         "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
                         "", "-", "zz", "Zz9", "\t\n 7", "- 5", "0x", "2147483648", "99999999999999999999999"};
  int bases[] = {0, 2, 8, 10, 16, 36, 7};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    printf("[%s] atoi %d\n", texts[i], i == 4 || i < 4 ? atoi(texts[i]) : 0);
    for (int k = 0; k < 7; k++) {
      char *end, *uend;
      errno = 0;
      long l = strtol(texts[i], &end, bases[k]);
      int e = errno;
      errno = 0;
      unsigned long long u = strtoull(texts[i], &uend, bases[k]);
      printf(" %d: %ld@%d/%d %llu@%d/%d", bases[k], l, (int)(end - texts[i]), e, u, (int)(uend - texts[i]), errno);
    }
    puts("");
  }
  printf("%jd %ju\n", strtoimax("-99", NULL, 10), strtoumax("-1", NULL, 10));
  div_t d = div(-17, 5);
  lldiv_t l = lldiv(1ll << 62, -12345);
  printf("%d %d %lld %lld %d %lld\n", d.quot, d.rem, l.quot, l.rem, abs(-5), llabs(-6ll));
}
