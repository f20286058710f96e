/* A recursive parser of JSON, with the C library's strtod. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define RECORDS 6000

static const char *at;
static long strings, numbers;
static double sum;

static void skip_spaces(void) {
  while (isspace((unsigned char)*at)) at++;
}

static void parse_string(void) {
  for (at++; *at != '"'; at++)
    if (*at == '\\') at++;
  at++;
  strings++;
}

static void parse_value(void);

static void parse_members(char end) {
  at++;
  for (skip_spaces(); *at != end; skip_spaces()) {
    parse_value();
    skip_spaces();
    if (*at == ',' || *at == ':') at++;
  }
  at++;
}

static void parse_value(void) {
  skip_spaces();
  char *behind;
  switch (*at) {
    case '{':
      parse_members('}');
      break;
    case '[':
      parse_members(']');
      break;
    case '"':
      parse_string();
      break;
    case 't':
    case 'n':
      at += 4;
      break;
    case 'f':
      at += 5;
      break;
    default:
      sum += strtod(at, &behind);
      at = behind;
      numbers++;
  }
}

int main(int argc, char **argv) {
  int repetitions = argc > 1 ? atoi(argv[1]) : 1;
  char *text = malloc(RECORDS * 120);
  if (text == NULL) return 2;
  int length = sprintf(text, "[");
  for (int i = 0; i < RECORDS; i++)
    length += sprintf(text + length,
                      "%s{\"id\": %d, \"name\": \"user%d\", \"score\": %d.%02d, \"ok\": %s, \"tags\": [\"a\", \"b\", null]}",
                      i > 0 ? ", " : "", i, 7 * i, i % 97, i % 89, i % 2 ? "true" : "false");
  sprintf(text + length, "]");
  for (int r = 0; r < repetitions; r++) {
    at = text;
    parse_value();
  }
  printf("%ld %ld %g\n", strings, numbers, sum);
  return 0;
}
