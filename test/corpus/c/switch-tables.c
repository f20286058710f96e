/* Dense, sparse, nested and range switches; strings of cases that become tables, bit tests or trees. */
#include <stdio.h>

static int dense(int x) {
  switch (x) {
    case 0: return 11; case 1: return 7; case 2: return -3; case 3: return 100; case 4: return 42; case 5: return 5;
    case 6: return 66; case 7: return 1; case 8: return 0; case 9: return 9; default: return -1;
  }
}
static int sparse(long x) {
  switch (x) {
    case -1000000007: return 1; case -5: return 2; case 0: return 3; case 77: return 4; case 4096: return 5;
    case 65535: return 6; case 65536: return 7; case 0x7fffffffffffffff: return 8; default: return 0;
  }
}
static int vowel(char c) {
  switch (c) { case 'a': case 'e': case 'i': case 'o': case 'u': case 'A': case 'E': case 'I': case 'O': case 'U': return 1; }
  return 0;
}
static int ranges(unsigned char c) {
  switch (c) {
    case '0' ... '9': return c - '0';
    case 'a' ... 'z': return c - 'a' + 10;
    case 'A' ... 'Z': return c - 'A' + 10;
    default: return -1;
  }
}
static int falling(int x) {
  int r = 0;
  switch (x) {
    case 5: r += 5;
    case 4: r += 40;
    case 3: r += 300; break;
    case 2: r = 2;
    default: r -= 1;
    case 1: r *= 3;
  }
  return r;
}
static int duff(const char *p, int n) {
  int sum = 0, rounds = (n + 7) / 8;
  switch (n % 8) {
    case 0: do { sum = sum * 3 + *p++;
    case 7: sum = sum * 3 + *p++;
    case 6: sum = sum * 3 + *p++;
    case 5: sum = sum * 3 + *p++;
    case 4: sum = sum * 3 + *p++;
    case 3: sum = sum * 3 + *p++;
    case 2: sum = sum * 3 + *p++;
    case 1: sum = sum * 3 + *p++;
    } while (--rounds > 0);
  }
  return sum;
}

int main(void) {
  for (volatile int i = -2; i < 12; i++) printf("%d %d %d\n", dense(i), falling(i), sparse(i));
  long keys[] = {-1000000007, -5, 77, 4096, 65535, 65536, 0x7fffffffffffffff, 65537};
  for (int i = 0; i < 8; i++) printf("%d ", sparse(keys[i]));
  const char *text = "The quick brown fox Jumps 0ver the lazy dOg 1234567890";
  for (const char *p = text; *p; p++) printf("%d/%d ", vowel(*p), ranges((unsigned char)*p));
  for (volatile int n = 1; n < 40; n += 3) printf("%d ", duff(text, n));
  puts("");
}
