/* Loops over single bytes: length of a string, search for a byte, counting of words. */
#include "kernel.h"

#define LENGTH 16384

static KEEP uint64_t length(const char *text) {
  const char *at = text;
  while (*at != 0) {
    at++;
    __asm__("" : "+r"(at)); /* else gcc calls strlen */
  }
  return (uint64_t)(at - text);
}

static KEEP const char *find(const char *text, const char *end, char wanted) {
  for (; text < end; text++)
    if (*text == wanted) return text;
  return NULL;
}

static KEEP uint64_t words(const char *text) {
  uint64_t count = 0;
  int inside = 0;
  for (; *text != 0; text++) {
    int letter = *text > ' ';
    count += letter & (inside ^ 1);
    inside = letter;
  }
  return count;
}

int main(int argc, char **argv) {
  uint64_t repetitions = argument(argc, argv, 1, 1000);
  static char text[LENGTH + 1];
  for (int i = 0; i < LENGTH; i++) {
    uint32_t number = random32() >> 8;
    text[i] = number % 6 == 0 ? ' ' : (char)('a' + number % 25);
  }
  uint64_t sum = 0;
  for (uint64_t r = 0; r < repetitions; r++) {
    text[r % LENGTH] = r % 3 == 0 ? ' ' : 'e';
    uint64_t size = length(text);
    for (const char *at = text; (at = find(at, text + size, 'e')) != NULL; at++) sum += (uint64_t)(at - text);
    sum += size + words(text);
  }
  return checksum(sum);
}
