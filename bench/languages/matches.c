/* Finds repeated strings as LZ77 compressors do: a table of hashes, unaligned words, byte by byte comparison. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH (1 << 20)
#define TABLE (1 << 15)
#define LONGEST 255

static uint8_t text[LENGTH], packed[2 * LENGTH];
static int32_t last[TABLE];

static uint32_t word_at(const uint8_t *at) {
  uint32_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

static int pack(void) {
  int length = 0, at = 0;
  memset(last, 0, sizeof last);
  while (at < LENGTH - 8) {
    uint32_t word = word_at(text + at);
    uint32_t key = word * 2654435761u >> 17;
    int before = last[key];
    last[key] = at;
    if (before >= at || word_at(text + before) != word) {
      packed[length++] = text[at++];
      continue;
    }
    int same = 4;
    while (at + same < LENGTH && same < LONGEST && text[before + same] == text[at + same]) same++;
    packed[length++] = (uint8_t)same;
    packed[length++] = (uint8_t)(at - before);
    packed[length++] = (uint8_t)((at - before) >> 8);
    at += same;
  }
  return length;
}

int main(int argc, char **argv) {
  int repetitions = argc > 1 ? atoi(argv[1]) : 1;
  uint32_t random = 1;
  for (int i = 0; i < LENGTH; i++) {
    random = random * 1664525 + 1013904223;
    if (random >> 28 < 6) text[i] = (uint8_t)('a' + (random >> 24 & 3));
    else text[i] = i > 100 ? text[i - 100 + (random >> 30)] : 'x';
  }
  long sum = 0;
  for (int r = 0; r < repetitions; r++) sum += pack();
  printf("%ld\n", sum);
  return 0;
}
